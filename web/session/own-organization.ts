import { useSession } from "./session.tsx";

/** The organisation that the signed-in user works in, as a parameter of calls about it; "" while signed out. */
export function useOwnOrganization() {
  const { user } = useSession();
  return { params: { orgId: user?.organizationId ?? "" } };
}
