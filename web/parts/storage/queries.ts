import { useQuery } from "@tanstack/react-query";
import { storageApi } from "#contract/organizations/storage.ts";
import { queryOf } from "#web/api/query.ts";
import { useSession } from "#web/session/session.tsx";

/** Read again by every screen that shows it: each upload and each deletion changes it. */
const fresh = { refetchOnMount: "always" } as const;

export function useStorage() {
  const { user } = useSession();
  const orgId = user?.organizationId ?? "";
  return useQuery({ ...queryOf(storageApi.organization, { params: { orgId } }), ...fresh, enabled: orgId !== "" });
}

/** For the platform's administrator; others are given nothing. */
export function usePlatformDisk() {
  const { user } = useSession();
  return useQuery({ ...queryOf(storageApi.platform), ...fresh, enabled: user?.superAdmin === true });
}
