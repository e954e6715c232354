/**
 * Limits sign-ins and similar checks to five tries in fifteen minutes, per account and address, whether the account exists or not.
 * Guesses at one account from many addresses wait longer and longer.
 */
import { createHash } from "node:crypto";
import { and, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { loginFailures } from "#server/platform/db/schema/accounts.ts";
import { tooMany } from "#server/platform/errors.ts";

const MAX_TRIES = 5;
export const WINDOW_MS = 15 * 60_000;
/** Failures of one account in a day, from any address, after which each further try waits twice as long as the one before. */
export const FREE_TRIES = 10;
export const ACCOUNT_WINDOW_MS = 24 * 3600_000;
const FIRST_WAIT_MS = 1000;
/** The longest wait, so that an attacker cannot close an account for longer; a browser that knows the account never waits. */
export const LONGEST_WAIT_MS = 15 * 60_000;

/** The key that tries are counted by. It is a hash, because the table must not collect addresses of people without an account. */
export function tryKey(email: string, ip: string): string {
  return createHash("sha256")
    .update(`${email}\n${network(ip)}`)
    .digest("hex");
}

/** The key for tries of one account from any address. */
const accountKey = (email: string): string => createHash("sha256").update(`account\n${email}`).digest("hex");

/** A sign-in that is being tried. */
interface Tried {
  email: string;
  ip: string;
  /** Whether the browser has opened this account before (known-devices.ts). */
  knownDevice: boolean;
}

/**
 * Takes one try of an account's password before the password is checked. Unknown accounts are counted the same way.
 * @throws Problem 429 with Retry-After when the address has no try left, or others have just failed at the account
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

/** Resets both counts after a right password. */
export async function forgetSignInTries(db: Tx, { email, ip }: Pick<Tried, "email" | "ip">): Promise<void> {
  await db.delete(loginFailures).where(inArray(loginFailures.key, [accountKey(email), tryKey(email, ip)]));
}

const TOO_MANY = "Слишком много попыток входа. Повторите позже.";

/**
 * Takes one try before the password is checked, so that a hundred parallel guesses count as more than five.
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

/** Resets the count after a right password. */
export async function forgetTries(db: Tx, key: string): Promise<void> {
  await db.delete(loginFailures).where(eq(loginFailures.key, key));
}

/** The network of an address: one customer of a provider holds a whole IPv6 /64, so its addresses count as one. */
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
