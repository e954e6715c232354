import type { SignedInUser } from "#contract/auth.ts";
import { useSession } from "./session.tsx";

type Member = Pick<SignedInUser, "id" | "role">;
/** The column of a twin that decides. */
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

/** The same for the signed-in person; of `twin` when one is given. */
export function useReadOnly(twin?: OwnedTwin): string | null {
  const { user } = useSession();
  return user ? whyReadOnly(user, twin) : null;
}
