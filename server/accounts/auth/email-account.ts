/** Accounts with an e-mail and a password: registration, confirmation and reset letters, the password check. */
import { eq } from "drizzle-orm";
import type { RegisterInput } from "#contract/organizations/registration.ts";
import { requireGoodPassword } from "#server/accounts/credentials/password-rules.ts";
import { hashPassword, verifyPassword } from "#server/accounts/credentials/passwords.ts";
import { requireLetter, takeLetter } from "#server/accounts/mail/letter-limit.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { conflict, forbidden, tooMany, unauthorized } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Log } from "#server/platform/log.ts";
import { createAccount, findUserByEmail, type Membership } from "./accounts.ts";
import { becomesAdministrator, type InstallationSettings } from "./administrator.ts";
import { audit } from "./audit.ts";
import { forgetDevices } from "./known-devices.ts";
import { createLink, pauseAfterLink, takeLink } from "./one-time-links.ts";
import { endAllSessions } from "./sessions.ts";
import { isConfirmed } from "./super-admin.ts";
import { replaceUnconfirmedAccount } from "./unconfirmed-account.ts";
import type { UserRow } from "./user-json.ts";

// The pause makes a double click send one letter and keeps a stranger from flooding another person's mailbox.
const LETTER_PAUSE_MS = 60_000;

/**
 * Creates an account with its organisation. Returns also the token of the confirmation letter; null when the mailbox has received too many
 * letters.
 * @throws Problem 400 for a password that attackers try first; 409 when the e-mail is taken. The 409 reveals that the account exists;
 *   docs/decisions/015-accounts-and-sign-in.md explains why this is accepted only here.
 */
export async function register(
  db: Database,
  input: RegisterInput,
): Promise<{ user: UserRow; membership: Membership; confirmToken: string | null }> {
  const taken = () => conflict("email_taken", "Этот email уже зарегистрирован");
  await requireGoodPassword(input.password, input);
  if ((await findUserByEmail(db, input.email)) !== null) throw taken();
  const passwordHash = await hashPassword(input.password);
  return db.transaction(async (tx) => {
    const account = await createAccount(tx, {
      authMethod: "email",
      email: input.email,
      passwordHash,
      firstName: input.firstName ?? "",
      lastName: input.lastName ?? "",
    });
    if (account === null) throw taken();
    const { user, membership } = account;
    await audit(tx, {
      action: "registration",
      userId: user.id,
      organizationId: membership.organizationId,
      detail: { method: "email" },
    });
    const letter = await takeLetter(tx, { kind: "confirmation", to: input.email, userId: user.id });
    const confirmToken = "id" in letter ? await createLink(tx, user.id, "confirm-email") : null;
    return { user, membership, confirmToken };
  });
}

/**
 * Returns the account of this e-mail and password. The work is the same whether the account exists or not, so the duration reveals nothing.
 * @throws Problem 401 when they do not match
 */
export async function checkPassword(db: Database, email: string, password: string, ip: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email);
  if (await verifyPassword(password, user?.passwordHash ?? null)) return user!;
  await audit(db, { action: "sign-in-failed", userId: user?.id ?? null, detail: { method: "email", ip } });
  throw unauthorized("Неверный email или пароль", "wrong_credentials");
}

/** Returns the token of a reset letter; null when no account has the e-mail, or a letter was sent a moment ago or too often today. */
export async function requestReset(
  db: Database,
  email: string,
  ip: string,
): Promise<{ token: string; startsClean: boolean } | null> {
  const user = await findUserByEmail(db, email);
  if (user === null) return null;
  return db.transaction(async (tx) => {
    if ((await pauseAfterLink(tx, user.id, "reset-password", LETTER_PAUSE_MS)) > 0) return null;
    if ("waitMs" in (await takeLetter(tx, { kind: "reset", to: email }))) return null;
    await audit(tx, { action: "password-reset-requested", userId: user.id, detail: { ip } });
    return { token: await createLink(tx, user.id, "reset-password"), startsClean: !isConfirmed(user) };
  });
}

/**
 * Returns the address and the token of another confirmation letter to a signed-in user; the previous letter's link becomes invalid.
 * @throws Problem 409 when there is no e-mail or it is confirmed, 429 with Retry-After when a letter was sent a moment ago
 */
export async function requestConfirmation(
  db: Database,
  userId: string,
  ip: string,
): Promise<{ email: string; token: string; letterId: number }> {
  return db.transaction(async (tx) => {
    // The lock keeps two simultaneous calls from both finding that no letter was sent.
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
    if (user === undefined || user.email === null) throw conflict("no_email", "У этого аккаунта нет email");
    if (user.emailConfirmedAt !== null) throw conflict("email_confirmed", "Этот email уже подтверждён");
    const waitMs = await pauseAfterLink(tx, userId, "confirm-email", LETTER_PAUSE_MS);
    if (waitMs > 0) {
      throw tooMany("letter_just_sent", "Письмо отправлено только что. Новое можно запросить через минуту.", {
        retryAfter: waitMs / 1000,
      });
    }
    const letterId = await requireLetter(tx, { kind: "confirmation", to: user.email, userId });
    await audit(tx, { action: "confirmation-requested", userId, detail: { ip } });
    return { email: user.email, letterId, token: await createLink(tx, userId, "confirm-email") };
  });
}

/**
 * Sets the password and ends every session. An account that was never confirmed may be a stranger's. Everything that was made in it is
 * removed, and the mailbox's owner gets a new account.
 * @returns the account that the new password belongs to
 * @throws Problem 400 for an invalid link
 */
export async function resetPassword(
  { db, config, files: store, log }: { db: Database; config: InstallationSettings; files: FileStore; log: Log },
  input: { token: string; password: string },
): Promise<{ userId: string; startedClean: boolean }> {
  const passwordHash = await hashPassword(input.password);
  const { files, ...reset } = await db.transaction(async (tx) => {
    const userId = await takeLink(tx, "reset-password", input.token);
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
    const { email, firstName, lastName } = user!;
    await requireGoodPassword(input.password, { email, firstName, lastName });
    if (email !== null && !isConfirmed(user!)) {
      const superAdmin = await becomesAdministrator(tx, config, email);
      const { user: owner, files } = await replaceUnconfirmedAccount(
        tx,
        { ...user!, email },
        { passwordHash, superAdmin },
      );
      await audit(tx, { action: "password-reset", userId: owner.id });
      if (superAdmin) await audit(tx, { action: "installation-claimed", userId: owner.id });
      return { userId: owner.id, startedClean: true, files };
    }
    await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
    await endAllSessions(tx, userId);
    await forgetDevices(tx, userId);
    await audit(tx, { action: "password-reset", userId });
    return { userId, startedClean: false, files: [] };
  });
  await removeFiles({ files: store, log }, files);
  return reset;
}

/**
 * Confirms the e-mail of the link's account if `callerId` is signed in to that account; otherwise the link stays unused. Without this rule
 * a stranger could register with another person's address and wait for that person to follow the letter's link.
 * @throws Problem 400 for an invalid link, 403 when another user opens it
 */
export async function confirmEmail(
  db: Database,
  config: InstallationSettings,
  token: string,
  callerId: string | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const userId = await takeLink(tx, "confirm-email", token);
    if (callerId !== userId) {
      throw forbidden("confirm_signed_out", "Войдите в аккаунт, который вы регистрировали, и откройте ссылку ещё раз");
    }
    await markConfirmed(tx, config, userId);
    await audit(tx, { action: "email-confirmed", userId });
  });
}

async function markConfirmed(tx: Tx, config: InstallationSettings, userId: string): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (user === undefined || user.email === null) return;
  const superAdmin = user.superAdmin || (await becomesAdministrator(tx, config, user.email));
  await tx
    .update(users)
    .set({ emailConfirmedAt: user.emailConfirmedAt ?? new Date(), superAdmin })
    .where(eq(users.id, userId));
  if (superAdmin && !user.superAdmin) await audit(tx, { action: "installation-claimed", userId });
}
