import { useMutation } from "@tanstack/react-query";
import { type AuditEntry, type AuditFilter, auditApi } from "#contract/organizations/audit.ts";
import { call } from "#web/api/call.ts";
import { usePages } from "#web/api/pagination.ts";
import { useSession } from "#web/session/session.tsx";

export type LogScope = "organization" | "platform";

export function useAudit(scope: LogScope, filter: AuditFilter) {
  const { user } = useSession();
  const own = scope === "organization";
  return usePages<AuditEntry>(own ? auditApi.list : auditApi.listAll, {
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
