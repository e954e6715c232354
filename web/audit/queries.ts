import { useMutation } from "@tanstack/react-query";
import { type AuditEntry, type AuditFilter, auditApi } from "#contract/audit.ts";
import { call } from "#web/api.ts";
import { usePortions } from "#web/portions.ts";
import { useSession } from "#web/session.tsx";

/** Whose log a screen shows: the viewer's organisation's, or the whole platform's. */
export type LogScope = "organization" | "platform";

export function useAudit(scope: LogScope, filter: AuditFilter) {
  const { user } = useSession();
  const own = scope === "organization";
  return usePortions<AuditEntry>(own ? auditApi.list : auditApi.listAll, {
    ...(own ? { params: { orgId: user?.organizationId ?? "" } } : {}),
    query: { ...filter },
    enabled: own ? user?.role === "org_admin" : user?.superAdmin === true,
  });
}

export function useAuditExport(scope: LogScope) {
  const { user } = useSession();
  return useMutation({
    mutationFn: (filter: AuditFilter) => {
      const input = { ...filter, format: "csv" } as const;
      return scope === "organization"
        ? call(auditApi.export, { params: { orgId: user?.organizationId ?? "" }, input })
        : call(auditApi.exportAll, { input });
    },
  });
}
