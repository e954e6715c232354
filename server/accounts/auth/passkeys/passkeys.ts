/** Stores an account's passkeys, adds new ones and signs in with them. */
import { and, asc, count, eq, lt, or } from "drizzle-orm";
import { PASSKEYS_LIMIT, type Passkey } from "#contract/organizations/account.ts";
import type { AssertedCredential, AttestedCredential } from "#contract/organizations/second-step.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { passkeys, users } from "#server/platform/db/schema/accounts.ts";
import { conflict, invalid, notFound } from "#server/platform/errors.ts";
import { challengeIn, checkAssertion, checkCreation, creationOptions, requestOptions } from "./ceremony.ts";
import { type ChallengePurpose, openChallenge, takeChallenge } from "./challenges.ts";

type Deps = { db: Database; config: Pick<Config, "publicUrl"> };
type PasskeyRow = typeof passkeys.$inferSelect;

export const toPasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** Lists the oldest first. */
export const listPasskeys = (db: Tx, userId: string): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id));

/** @param bound the binding (challenges.ts) that the answer must come with */
export async function beginAdding(
  { db, config }: Deps,
  user: { id: string; account: string; name: string },
  bound: string,
) {
  const options = await creationOptions(config, user, await listPasskeys(db, user.id));
  await openChallenge(db, options.challenge, { purpose: "passkey-add", bound, userId: user.id });
  return options;
}

/** @throws Problem 400 for an invalid answer, 409 for a key that is registered already or exceeds the limit */
export async function addPasskey(
  { db, config }: Deps,
  userId: string,
  bound: string,
  input: { name: string; credential: AttestedCredential },
): Promise<PasskeyRow> {
  const refused = () => invalid("passkey_refused", "Не удалось проверить ключ доступа. Попробуйте ещё раз.");
  const challenge = challengeIn(input.credential);
  const waiting = challenge === null ? null : await takeChallenge(db, "passkey-add", challenge, bound);
  if (challenge === null || waiting?.userId !== userId) throw refused();
  const key = await checkCreation(config, input.credential, challenge);
  if (key === null) throw refused();
  return db.transaction(async (tx) => {
    // The lock keeps two simultaneous additions from both passing the limit.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
    const [present] = await tx.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, userId));
    if (present!.count >= PASSKEYS_LIMIT) {
      throw conflict("too_many_passkeys", `Ключей доступа уже ${PASSKEYS_LIMIT}. Удалите лишний.`);
    }
    const [row] = await tx
      .insert(passkeys)
      .values({ userId, name: input.name, ...key })
      .onConflictDoNothing()
      .returning();
    if (row === undefined) throw conflict("passkey_known", "Этот ключ доступа уже добавлен");
    return row;
  });
}

const own = (userId: string, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId));
const unknown = () => notFound("Ключ доступа не найден", "passkey_not_found");

/** @throws Problem 404 */
export async function renamePasskey(db: Tx, userId: string, id: string, name: string): Promise<PasskeyRow> {
  const [row] = await db.update(passkeys).set({ name }).where(own(userId, id)).returning();
  if (row === undefined) throw unknown();
  return row;
}

/** @throws Problem 404 */
export async function removePasskey(db: Tx, userId: string, id: string): Promise<void> {
  const gone = await db.delete(passkeys).where(own(userId, id)).returning({ id: passkeys.id });
  if (gone.length === 0) throw unknown();
}

/** @param userId the account whose keys may answer; absent: any account */
export async function beginAsserting(
  { db, config }: Deps,
  purpose: Extract<ChallengePurpose, "passkey-sign-in" | "passkey-confirm">,
  bound: string,
  userId?: string,
) {
  const options = await requestOptions(config, userId === undefined ? [] : await listPasskeys(db, userId));
  await openChallenge(db, options.challenge, { purpose, bound, ...(userId === undefined ? {} : { userId }) });
  return options;
}

/**
 * Returns the key that has answered correctly, with its counter advanced; null for an invalid answer. The challenge is used up either way.
 */
export async function takeAssertion(
  { db, config }: Deps,
  purpose: Extract<ChallengePurpose, "passkey-sign-in" | "passkey-confirm">,
  bound: string | null,
  credential: AssertedCredential,
): Promise<PasskeyRow | null> {
  const challenge = challengeIn(credential);
  const waiting = challenge === null ? null : await takeChallenge(db, purpose, challenge, bound);
  if (challenge === null || waiting === null) return null;
  const [key] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credential.id));
  if (key === undefined || (waiting.userId !== null && waiting.userId !== key.userId)) return null;
  const counter = await checkAssertion(config, credential, challenge, key);
  if (counter === null) return null;
  // Most authenticators always report 0. For those that count, a counter that has not grown reveals a copied key.
  const moved = counter === 0 ? eq(passkeys.counter, 0) : or(lt(passkeys.counter, counter), eq(passkeys.counter, 0));
  const [used] = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: new Date() })
    .where(and(eq(passkeys.id, key.id), moved))
    .returning();
  return used ?? null;
}
