/** The authenticator app as an account's second factor, and the recovery codes for when the app is lost. */
import { createHash, randomInt } from "node:crypto";
import { and, count, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { Secret } from "otpauth";
import { RECOVERY_CODES } from "#contract/organizations/account.ts";
import { forgetTries, takeTry } from "#server/accounts/credentials/login-limit.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { recoveryCodes, secondFactors } from "#server/platform/db/schema/accounts.ts";
import { conflict, forbidden } from "#server/platform/errors.ts";
import type { SecretPlace, Vault } from "#server/platform/secrets/vault.ts";
import { matchingStep, newTotpSecret, totpUri } from "./totp.ts";

const placeOf = (userId: string): SecretPlace => ({
  table: "second_factors",
  tenant: "platform",
  row: userId,
  column: "secret",
});

/** Counts by account only, because an attacker who guesses codes already has the password and can use any number of addresses. */
const codeKey = (userId: string): string => createHash("sha256").update(`code\n${userId}`).digest("hex");
const TOO_MANY_CODES = "Слишком много неверных кодов. Повторите позже.";

export async function totpState(
  db: Tx,
  userId: string,
): Promise<{ enabledAt: Date | null; recoveryCodesLeft: number }> {
  const [row] = await db
    .select({ enabledAt: secondFactors.enabledAt })
    .from(secondFactors)
    .where(eq(secondFactors.userId, userId));
  const [left] = await db.select({ count: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  return { enabledAt: row?.enabledAt ?? null, recoveryCodesLeft: left!.count };
}

export const hasSecondFactor = async (db: Tx, userId: string): Promise<boolean> =>
  (await totpState(db, userId)).enabledAt !== null;

/**
 * Creates a secret, shown once, that takes effect with its first correct code. It replaces an earlier unconfirmed secret.
 * @throws Problem 409 when the app is connected already
 */
export async function beginTotp(
  db: Tx,
  vault: Vault,
  user: { id: string; account: string },
): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  const sealed = vault.seal(placeOf(user.id), secret.hex);
  const [row] = await db
    .insert(secondFactors)
    .values({ userId: user.id, secret: sealed })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { secret: sealed, lastStep: 0, createdAt: new Date() },
      setWhere: isNull(secondFactors.enabledAt),
    })
    .returning({ userId: secondFactors.userId });
  if (row === undefined) throw conflict("second_factor_on", "Вход по коду уже включён");
  return { secret: secret.base32, uri: totpUri(secret, user.account) };
}

/**
 * Checks a code: it must be correct and of an unused time step; five tries in fifteen minutes are allowed.
 * @param state which secret to check against: the unconfirmed one or the one in use
 * @returns false for a wrong or used code
 * @throws Problem 429
 */
export async function takeCode(
  db: Database,
  vault: Vault,
  userId: string,
  code: string,
  state: "waiting" | "enabled",
): Promise<boolean> {
  const key = codeKey(userId);
  await takeTry(db, key, TOO_MANY_CODES);
  const meant = and(
    eq(secondFactors.userId, userId),
    state === "enabled" ? isNotNull(secondFactors.enabledAt) : isNull(secondFactors.enabledAt),
  );
  const [row] = await db.select({ secret: secondFactors.secret }).from(secondFactors).where(meant);
  if (row === undefined) return false;
  const step = matchingStep(Secret.fromHex(vault.open(placeOf(userId), row.secret)), code, Date.now());
  if (step === null) return false;
  // The condition on `lastStep` lets only one of two simultaneous uses of a code succeed.
  const taken = await db
    .update(secondFactors)
    .set({ lastStep: step })
    .where(and(meant, lt(secondFactors.lastStep, step)))
    .returning({ userId: secondFactors.userId });
  if (taken.length === 0) return false;
  await forgetTries(db, key);
  return true;
}

/** Activates the unconfirmed secret. @returns the recovery codes, which are stored only as hashes */
export async function enableTotp(tx: Tx, userId: string): Promise<string[]> {
  const on = await tx
    .update(secondFactors)
    .set({ enabledAt: new Date() })
    .where(and(eq(secondFactors.userId, userId), isNull(secondFactors.enabledAt)))
    .returning({ userId: secondFactors.userId });
  if (on.length === 0) throw conflict("second_factor_on", "Вход по коду уже включён");
  return newRecoveryCodes(tx, userId);
}

/** @returns false when there was no active second factor */
export async function disableTotp(tx: Tx, userId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const gone = await tx
    .delete(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .returning({ enabledAt: secondFactors.enabledAt });
  return gone.some(({ enabledAt }) => enabledAt !== null);
}

/** 32 letters and digits that do not look alike: sixteen of them hold 80 random bits. */
const SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const newCode = () => Array.from({ length: 16 }, () => SIGNS[randomInt(SIGNS.length)]).join("");
const codeHash = (userId: string, code: string): string =>
  createHash("sha256").update(`${userId}\n${code}`).digest("hex");

/** Creates ten recovery codes, in groups of four characters, that replace the earlier ones. @throws Problem 403 when no app is connected */
export async function newRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const [on] = await tx
    .select({ userId: secondFactors.userId })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.enabledAt)))
    .for("update");
  if (on === undefined) throw forbidden("second_factor_off", "Сначала включите вход по коду");
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: codeHash(userId, code) })));
  return codes.map((code) => code.match(/.{4}/g)!.join("-"));
}

/** Uses up a recovery code. @returns how many are left; null for one that is wrong or used */
export async function takeRecoveryCode(tx: Tx, userId: string, code: string): Promise<number | null> {
  const gone = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash(userId, code))))
    .returning({ id: recoveryCodes.id });
  if (gone.length === 0) return null;
  const [left] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  return left!.count;
}
