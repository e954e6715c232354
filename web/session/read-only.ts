import type { Access } from "#contract/endpoint.ts";
import type { SignedInUser } from "#contract/organizations/auth.ts";
import { useSession } from "./session.tsx";

type Member = Pick<SignedInUser, "id" | "role" | "superAdmin">;
/** The field of a twin that the decision depends on. */
interface OwnedTwin {
  /** "" where the server names none: it alone knows then. */
  ownerId: string;
}

/** As the server decides it: `org_admin` changes every twin of the organisation, `user` his own, `viewer` none. */
export const mayChangeTwin = (member: Member, twin: OwnedTwin): boolean =>
  member.role === "org_admin" || (member.role === "user" && (twin.ownerId === member.id || twin.ownerId === ""));

/**
 * Why the person can only look, in a sentence for the screen; null when there is something to change. The server
 * has the last word: this only spares people a form that would end in a refusal.
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

/** The access rule of an endpoint of the contract. */
interface Act {
  access: Access;
}

/**
 * Why the person may not call `act`, in a sentence for the screen; null when the role reaches. `access` of the contract decides it
 * here as in the server (`admit` in server/platform/http/route.ts), and of a twin that is given also whose it is.
 */
export function whyMayNot(member: Member, { access }: Act, twin?: OwnedTwin): string | null {
  if (access === "editor") return whyReadOnly(member, twin);
  if (access === "org_admin" && member.role !== "org_admin")
    return "Это может сделать только администратор организации.";
  if (access === "super_admin" && !member.superAdmin) return "Это может сделать только администратор платформы.";
  return null;
}

/** The same for the signed-in user, as a value for a button's `whyNot`. */
export function useWhyNot(act: Act, twin?: OwnedTwin): string | null {
  const { user } = useSession();
  return user ? whyMayNot(user, act, twin) : null;
}

/** Why the signed-in user has read-only access, to `twin` if one is given. */
export function useReadOnly(twin?: OwnedTwin): string | null {
  const { user } = useSession();
  return user ? whyReadOnly(user, twin) : null;
}
