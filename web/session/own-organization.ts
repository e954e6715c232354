import { useSession } from "./session.tsx";

/** The organisation that the signed-in person works in, as calls about it want it; "" while signed out. */
export function useOwnOrganization() {
  const { user } = useSession();
  return { params: { orgId: user?.organizationId ?? "" } };
}
