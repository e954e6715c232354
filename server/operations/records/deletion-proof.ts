/** Proof that the account's owner really wants a deletion: a typed word, and the password or a recent sign-in. */
import { eq } from "drizzle-orm";
import { changeableUser, checkOwnPassword, isRecentlyConfirmed } from "#server/accounts/auth/reauthentication.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { forbidden, invalid } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

export interface DeletionProof {
  confirmation: string;
  password?: string | undefined;
}

export async function asksPassword(db: Database, userId: string): Promise<boolean> {
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
  return user?.passwordHash != null;
}

/** @throws Problem 400 for another word; 403 for a wrong password, an old sign-in, the demo user; 429 after five wrong passwords */
export async function requireProof(
  deps: { db: Database; config: Config },
  caller: Caller,
  { confirmation, password = "" }: DeletionProof,
  ...words: [word: string, ...others: string[]]
): Promise<void> {
  const typed = (text: string) => text.replace(/\s+/g, " ").trim().toLocaleLowerCase("ru");
  if (!words.some((word) => typed(confirmation) === typed(word))) {
    const said = `Введите «${words[0]}», чтобы подтвердить удаление`;
    throw invalid("wrong_confirmation", said, { fields: { confirmation: said } });
  }
  const user = await changeableUser(deps, caller);
  if (user.passwordHash !== null) await checkOwnPassword(deps.db, user, password);
  else if (!(await isRecentlyConfirmed(deps.db, caller))) {
    throw forbidden("fresh_sign_in_needed", "Выйдите, войдите снова и сразу повторите удаление");
  }
}
