import { and, eq } from "drizzle-orm";
import type { PasswordChangeInput } from "#contract/organizations/account.ts";
import { requireGoodPassword } from "#server/accounts/credentials/password-rules.ts";
import { hashPassword } from "#server/accounts/credentials/passwords.ts";
import type { SendNotice } from "#server/accounts/mail/notices.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { conflict, forbidden, invalid } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { audit } from "../audit.ts";
import { endLinks } from "../one-time-links.ts";
import { changeableUser, checkOwnPassword, markConfirmed } from "../reauthentication.ts";
import { endAllSessions } from "../sessions.ts";

/**
 * Sets another password for a user who knows the present one. Every other session ends, and so does every link of a reset letter.
 * @throws Problem 403 for a wrong present password, 400 for a new one that is not allowed, 409 where there is no password, 429
 */
export async function changePassword(
  { db, config, tell }: { db: Database; config: Config; tell: SendNotice },
  caller: Caller,
  { currentPassword, newPassword }: PasswordChangeInput,
  place: { device: string; ip: string },
): Promise<void> {
  const user = await changeableUser({ db, config }, caller);
  if (user.passwordHash === null)
    throw conflict("no_password", "У этого аккаунта нет пароля: вы входите через Telegram");
  await checkOwnPassword(db, user, currentPassword);
  if (newPassword === currentPassword) {
    const sentence = "Новый пароль совпадает с прежним";
    throw invalid("invalid_input", sentence, { fields: { newPassword: sentence } });
  }
  await requireGoodPassword(newPassword, user, "newPassword");
  const passwordHash = await hashPassword(newPassword);
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash!)))
      .returning({ id: users.id });
    // The password was changed by another session while the old one was checked.
    if (changed.length === 0) throw forbidden("wrong_password", "Неверный пароль");
    await endAllSessions(tx, user.id, caller.sessionId);
    await endLinks(tx, user.id, "reset-password");
    await markConfirmed(tx, caller);
    await audit(tx, { action: "password-changed", userId: user.id, detail: { ip: place.ip } });
    await tell(tx, user.id, { kind: "password-changed", detail: place });
  });
}
