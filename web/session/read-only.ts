import type { Access } from "#contract/endpoint.ts";
import type { SignedInUser } from "#contract/organizations/auth.ts";
import { useSession } from "./session.tsx";

type Member = Pick<SignedInUser, "id" | "role" | "superAdmin">;
interface OwnedTwin {
  /** "" when the server does not name the owner, so that only the server can decide. */
  ownerId: string;
}

/** Applies the server's rule: `org_admin` changes every twin of the organisation, `user` his own, `viewer` none. */
export const mayChangeTwin = (member: Member, twin: OwnedTwin): boolean =>
  member.role === "org_admin" || (member.role === "user" && (twin.ownerId === member.id || twin.ownerId === ""));

/**
 * Returns why the user has read-only access, as a sentence for the screen; null when he can change something. The server
 * decides: this only spares users a form that would be rejected.
 */
export function whyReadOnly(member: Member, twin?: OwnedTwin): string | null {
  if (member.role === "viewer") {
    return "Только просмотр: ваша роль не\u00a0позволяет ничего менять. Права даёт администратор организации.";
  }
  if (twin && !mayChangeTwin(member, twin)) {
    return "Только просмотр: этого двойника меняют его владелец и\u00a0администраторы организации.";
  }
  return null;
}

interface Act {
  access: Access;
}

/**
 * Returns why the user may not call `act`, as a sentence for the screen; null when he may. It applies `access` of the contract like
 * the server (`admit` in server/platform/http/route.ts), and the ownership of `twin` if one is given.
 */
export function whyMayNot(member: Member, { access }: Act, twin?: OwnedTwin): string | null {
  if (access === "editor") return whyReadOnly(member, twin);
  if (access === "org_admin" && member.role !== "org_admin")
    return "Это может сделать только администратор организации.";
  if (access === "super_admin" && !member.superAdmin) return "Это может сделать только администратор платформы.";
  return null;
}

/** `whyMayNot` for the signed-in user, as a value for a button's `whyNot`. */
export function useWhyNot(act: Act, twin?: OwnedTwin): string | null {
  const { user } = useSession();
  return user ? whyMayNot(user, act, twin) : null;
}

/** Returns why the signed-in user has read-only access, to `twin` if one is given. */
export function useReadOnly(twin?: OwnedTwin): string | null {
  const { user } = useSession();
  return user ? whyReadOnly(user, twin) : null;
}
