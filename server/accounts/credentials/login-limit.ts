/**
 * Limits sign-ins and similar checks to five tries in fifteen minutes per account and address, whether the account exists or not. Guesses
 * at one account from many addresses face a growing delay.
 */
import { createHash } from "node:crypto";
import { and, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { loginFailures } from "#server/platform/db/schema/accounts.ts";
import { tooMany } from "#server/platform/errors.ts";

const MAX_TRIES = 5;
export const WINDOW_MS = 15 * 60_000;
/** Failed sign-ins to one account within a day, from any address, after which each further try waits twice as long as the previous one. */
export const FREE_TRIES = 10;
export const ACCOUNT_WINDOW_MS = 24 * 3600_000;
const FIRST_WAIT_MS = 1000;
/** The longest delay: an attacker can lock an account no longer than this. A browser that has opened the account before never waits. */
export const LONGEST_WAIT_MS = 15 * 60_000;

/** Returns the key that tries are counted by. It is a hash, because the table must not store addresses of people without an account. */
export function tryKey(email: string, ip: string): string {
  return createHash("sha256")
    .update(`${email}\n${network(ip)}`)
    .digest("hex");
}

const accountKey = (email: string): string => createHash("sha256").update(`account\n${email}`).digest("hex");

interface Tried {
  email: string;
  ip: string;
  /** Whether the browser has opened this account before (known-devices.ts). */
  knownDevice: boolean;
}

/**
 * Counts one try of an account's password, before the password is checked. Unknown accounts are counted the same way.
 * @throws Problem 429 with Retry-After when the address has no try left, or the account is delayed after failures from elsewhere
 */
export async function takeSignInTry(db: Database, { email, ip, knownDevice }: Tried): Promise<void> {
  const key = accountKey(email);
  const waitMs = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    const now = Date.now();
    const failures = await tx
      .select({ at: loginFailures.at })
      .from(loginFailures)
      .where(and(eq(loginFailures.key, key), gt(loginFailures.at, new Date(now - ACCOUNT_WINDOW_MS))))
      .orderBy(desc(loginFailures.at))
      .limit(FREE_TRIES + Math.ceil(Math.log2(LONGEST_WAIT_MS / FIRST_WAIT_MS)));
    const over = failures.length - FREE_TRIES;
    const wait = over < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** over, LONGEST_WAIT_MS);
    const left = knownDevice || failures.length === 0 ? 0 : failures[0]!.at.getTime() + wait - now;
    if (left > 0) return left;
    await tx.insert(loginFailures).values({ key, at: new Date(now) });
    return 0;
  });
  if (waitMs > 0) throw tooMany("too_many_tries", TOO_MANY, { retryAfter: waitMs / 1000 });
  await takeTry(db, tryKey(email, ip));
}

export async function forgetSignInTries(db: Tx, { email, ip }: Pick<Tried, "email" | "ip">): Promise<void> {
  await db.delete(loginFailures).where(inArray(loginFailures.key, [accountKey(email), tryKey(email, ip)]));
}

const TOO_MANY = "Слишком много попыток входа. Повторите позже.";

/**
 * Counts one try before the password is checked, so that parallel guesses cannot exceed the limit.
 * @throws Problem 429 with Retry-After when no try is left
 */
export async function takeTry(db: Database, key: string, refusal = TOO_MANY): Promise<void> {
  const waitMs = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    const now = Date.now();
    const recent = await tx
      .select({ at: loginFailures.at })
      .from(loginFailures)
      .where(and(eq(loginFailures.key, key), gt(loginFailures.at, new Date(now - WINDOW_MS))))
      .orderBy(desc(loginFailures.at))
      .limit(MAX_TRIES);
    if (recent.length >= MAX_TRIES) return recent.at(-1)!.at.getTime() + WINDOW_MS - now;
    await tx.insert(loginFailures).values({ key, at: new Date(now) });
    return 0;
  });
  if (waitMs > 0) {
    throw tooMany("too_many_tries", refusal, { retryAfter: waitMs / 1000 });
  }
  await db.delete(loginFailures).where(lt(loginFailures.at, new Date(Date.now() - ACCOUNT_WINDOW_MS)));
}

export async function forgetTries(db: Tx, key: string): Promise<void> {
  await db.delete(loginFailures).where(eq(loginFailures.key, key));
}

/** Returns the network of an address: a customer of a provider usually holds a whole IPv6 /64, so its addresses count as one. */
export function network(ip: string): string {
  if (!ip.includes(":")) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped !== null) return mapped[1]!;
  const [head = "", tail = ""] = ip.toLowerCase().split("%")[0]!.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
