import { and, eq } from "drizzle-orm";
import type { PasswordChangeInput } from "#contract/account.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { users } from "#server/db/schema.ts";
import { conflict, forbidden, invalid } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { audit } from "../audit.ts";
import type { Tell } from "../notices/notices.ts";
import { endLinks } from "../one-time-links.ts";
import { demandGoodPassword } from "../password-rules.ts";
import { hashPassword } from "../passwords.ts";
import { endAllSessions } from "../sessions.ts";
import { changeableUser, checkOwnPassword, markFresh } from "./fresh.ts";

/**
 * Sets another password for who knows the one before; every other session ends, and every link of a reset letter.
 * @throws Problem 403 for a wrong current password, 400 for one that may not be, 409 where there is no password, 429
 */
export async function changePassword(
  { db, config, tell }: { db: Database; config: Config; tell: Tell },
  viewer: Viewer,
  { currentPassword, newPassword }: PasswordChangeInput,
  place: { device: string; ip: string },
): Promise<void> {
  const user = await changeableUser({ db, config }, viewer);
  if (user.passwordHash === null)
    throw conflict("no_password", "У этого аккаунта нет пароля: вы входите через Telegram");
  await checkOwnPassword(db, user, currentPassword);
  if (newPassword === currentPassword) {
    const sentence = "Новый пароль совпадает с прежним";
    throw invalid("invalid_input", sentence, { fields: { newPassword: sentence } });
  }
  await demandGoodPassword(newPassword, user, "newPassword");
  const passwordHash = await hashPassword(newPassword);
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash!)))
      .returning({ id: users.id });
    // Somebody has changed it while the old one was checked.
    if (changed.length === 0) throw forbidden("wrong_password", "Неверный пароль");
    await endAllSessions(tx, user.id, viewer.sessionId);
    await endLinks(tx, user.id, "reset-password");
    await markFresh(tx, viewer);
    await audit(tx, { action: "password-changed", userId: user.id, detail: { ip: place.ip } });
    await tell(tx, user.id, { kind: "password-changed", detail: place });
  });
}
