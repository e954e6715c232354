import { useQuery } from "@tanstack/react-query";
import { storageApi } from "#contract/organizations/storage.ts";
import { queryOf } from "#web/api/query.ts";
import { useSession } from "#web/session/session.tsx";

/** Refetched by every screen that shows it, because each upload and each deletion changes it. */
const fresh = { refetchOnMount: "always" } as const;

export function useStorage() {
  const { user } = useSession();
  const orgId = user?.organizationId ?? "";
  return useQuery({ ...queryOf(storageApi.organization, { params: { orgId } }), ...fresh, enabled: orgId !== "" });
}

/** Disk usage for platform administrators; undefined for other users. */
export function usePlatformDisk() {
  const { user } = useSession();
  return useQuery({ ...queryOf(storageApi.platform), ...fresh, enabled: user?.superAdmin === true });
}
