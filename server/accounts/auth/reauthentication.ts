/** Sensitive actions require a recent proof of identity: a sign-in or a confirmation. */
import { createHash } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { CONFIRMED_MINUTES, type ConfirmInput } from "#contract/organizations/account.ts";
import { forgetTries, takeTry } from "#server/accounts/credentials/login-limit.ts";
import { verifyPassword } from "#server/accounts/credentials/passwords.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { sessions, users } from "#server/platform/db/schema/accounts.ts";
import { forbidden, invalid, type Problem } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { audit } from "./audit.ts";
import { DEMO_TELEGRAM_ID } from "./demo-telegram-id.ts";
import { takeAssertion } from "./passkeys/passkeys.ts";
import { takeCode } from "./second-factor/second-factor.ts";
import { NO_SESSION } from "./sessions.ts";
import type { UserRow } from "./user-json.ts";

interface Deps {
  db: Database;
  config: Config;
  vault: Vault;
}

/** Binds a confirmation challenge to the session of the signed-in person. */
export const sessionBinding = ({ sessionId }: Caller): string => `session ${sessionId}`;

export async function userOf(db: Tx, { userId }: Pick<Caller, "userId">): Promise<UserRow> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return user!;
}

/** All visitors of the demo share one account: a change of its password or e-mail would lock the others out. */
export const isChangeable = (user: UserRow, caller: Caller, config: Pick<Config, "demo">): boolean =>
  caller.sessionId !== NO_SESSION && !(config.demo && user.telegramId === DEMO_TELEGRAM_ID);

export async function changeableUser({ db, config }: Pick<Deps, "db" | "config">, caller: Caller): Promise<UserRow> {
  const user = await userOf(db, caller);
  if (isChangeable(user, caller, config)) return user;
  throw forbidden(
    "demo_account",
    "В демонстрационном аккаунте это недоступно. Зарегистрируйтесь, чтобы настроить свой.",
  );
}

/** Whether the person has proved their identity within the last `CONFIRMED_MINUTES`. */
export async function isRecentlyConfirmed(db: Tx, { sessionId }: Caller): Promise<boolean> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sessionId),
        gt(sessions.identityConfirmedAt, new Date(Date.now() - CONFIRMED_MINUTES * 60_000)),
      ),
    );
  return row !== undefined;
}

/** @throws Problem 403 `fresh_sign_in_needed` when the last proof is older than ten minutes; 403 for the demo user */
export async function recentlyConfirmedUser(deps: Pick<Deps, "db" | "config">, caller: Caller): Promise<UserRow> {
  const user = await changeableUser(deps, caller);
  if (await isRecentlyConfirmed(deps.db, caller)) return user;
  throw forbidden("fresh_sign_in_needed", "Подтвердите, что это вы, и повторите");
}

export async function markConfirmed(db: Tx, { sessionId }: Caller): Promise<void> {
  await db.update(sessions).set({ identityConfirmedAt: new Date() }).where(eq(sessions.id, sessionId));
}

const passwordKey = (userId: string): string => createHash("sha256").update(`confirm\n${userId}`).digest("hex");

/**
 * Checks a signed-in user's own password; allows five tries in fifteen minutes.
 * @throws Problem 403 for a wrong password (the web app treats 401 as the end of the session), 429
 */
export async function checkOwnPassword(db: Database, user: UserRow, password: string): Promise<void> {
  const key = passwordKey(user.id);
  await takeTry(db, key, "Слишком много попыток. Повторите позже.");
  if (!(await verifyPassword(password, user.passwordHash))) {
    await audit(db, { action: "confirmation-failed", userId: user.id, detail: { method: "password" } });
    throw forbidden("wrong_password", "Неверный пароль");
  }
  await forgetTries(db, key);
}

/** Allows sensitive actions for the next `CONFIRMED_MINUTES`. @throws Problem 400 without a proof, 403 for a wrong one, 429 */
export async function reauthenticate(deps: Deps, caller: Caller, input: ConfirmInput): Promise<void> {
  const user = await changeableUser(deps, caller);
  const method = await proofOf(deps, caller, user, input);
  await audit(deps.db, { action: "confirmed-again", userId: user.id, detail: { method } });
  await markConfirmed(deps.db, caller);
}

async function proofOf(deps: Deps, caller: Caller, user: UserRow, input: ConfirmInput): Promise<string> {
  const { db, vault } = deps;
  const { password, code, passkey } = input;
  const failed = async (method: string, problem: Problem): Promise<Problem> => {
    await audit(db, { action: "confirmation-failed", userId: user.id, detail: { method } });
    return problem;
  };
  if (password !== undefined) {
    await checkOwnPassword(db, user, password);
    return "password";
  }
  if (passkey !== undefined) {
    const key = await takeAssertion(deps, "passkey-confirm", sessionBinding(caller), passkey);
    if (key?.userId === user.id) return "passkey";
    throw await failed("passkey", forbidden("passkey_refused", "Ключ доступа не подошёл. Попробуйте ещё раз."));
  }
  // An account with a password requires the password: otherwise a person with a borrowed phone could confirm anything with a code alone.
  if (code !== undefined && user.passwordHash === null) {
    if (await takeCode(db, vault, user.id, code, "enabled")) return "code";
    throw await failed("code", forbidden("wrong_code", "Неверный код"));
  }
  throw invalid("invalid_input", "Введите пароль", { fields: { password: "Введите пароль" } });
}
