/** Five tries per fifteen minutes: of signing in to an account from an address, known account or not, and of the like. */
import { createHash } from "node:crypto";
import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Database, Tx } from "#server/db/database.ts";
import { loginFailures } from "#server/db/schema.ts";
import { tooMany } from "#server/errors.ts";

export const MAX_TRIES = 5;
export const WINDOW_MS = 15 * 60_000;

/** What tries are counted by. Hashed: the table shall not collect addresses of people who have no account here. */
export function tryKey(email: string, ip: string): string {
  return createHash("sha256")
    .update(`${email}\n${network(ip)}`)
    .digest("hex");
}

/** Letters that a user asks for, counted apart from sign-ins and from wherever they are asked for. */
export const letterKey = (userId: string): string => createHash("sha256").update(`letter\n${userId}`).digest("hex");

/**
 * Takes one try before the password is looked at, so that a hundred parallel guesses are five.
 * @throws Problem 429 with Retry-After when none is left
 */
export async function takeTry(
  db: Database,
  key: string,
  refusal = "Слишком много попыток входа. Повторите позже.",
): Promise<void> {
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
  await db.delete(loginFailures).where(lt(loginFailures.at, new Date(Date.now() - WINDOW_MS)));
}

/** After a right password the count starts anew. */
export async function forgetTries(db: Tx, key: string): Promise<void> {
  await db.delete(loginFailures).where(eq(loginFailures.key, key));
}

/** One customer of a provider holds a whole IPv6 /64: its addresses count as one. */
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
