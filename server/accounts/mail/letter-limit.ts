/**
 * Limits the number of letters. A separate table counts them, so that the count survives a revoked and repeated invitation, a new session
 * and a new IP address (docs/decisions/015-accounts-and-sign-in.md).
 */
import { createHash } from "node:crypto";
import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { lettersSent } from "#server/platform/db/schema/accounts.ts";
import { tooMany } from "#server/platform/errors.ts";

type LetterKind = (typeof lettersSent.$inferSelect)["kind"];

const HOUR_MS = 3600_000;
export const LETTERS_WINDOW_MS = 24 * HOUR_MS;
export const LETTERS_PER_DAY = {
  /** Letters of one kind to one mailbox, regardless of who requests them. */
  recipient: { confirmation: 5, reset: 5, invitation: 5 } satisfies Record<LetterKind, number>,
  /** Letters that one account requests, to any mailbox. */
  account: 30,
  organization: 100,
};
/**
 * Milliseconds after the last reset letter until another may be sent despite the limit. Without this exception a stranger could lock an
 * owner out by requesting letters in their name.
 */
const RESET_AGAIN_MS = HOUR_MS;

interface Asked {
  kind: LetterKind;
  to: string;
  /** The account that requests the letter; absent without a session. */
  userId?: string;
  organizationId?: string;
}

/** A hash, because the table must not store addresses of people without an account. */
const recipientOf = (to: string): string => createHash("sha256").update(to.toLowerCase()).digest("hex");

/**
 * Counts the letter and returns its id. When the limit is reached, returns the milliseconds until the next letter is allowed, uncounted.
 */
export async function takeLetter(
  tx: Tx,
  { kind, to, userId, organizationId }: Asked,
): Promise<{ id: number } | { waitMs: number }> {
  const recipient = recipientOf(to);
  // All callers take the locks in this order, so that two letters cannot deadlock.
  for (const key of [
    `letter-to ${recipient}`,
    userId && `letter-by ${userId}`,
    organizationId && `letter-of ${organizationId}`,
  ]) {
    if (key !== undefined) await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 3))`);
  }
  const most = LETTERS_PER_DAY;
  const ofKind = sql`${lettersSent.recipient} = ${recipient} and ${lettersSent.kind} = ${kind}`;
  const waits = [
    kind === "reset"
      ? Math.min(await waitOf(tx, ofKind, most.recipient[kind]), await sinceLast(tx, ofKind))
      : await waitOf(tx, ofKind, most.recipient[kind]),
    userId === undefined ? 0 : await waitOf(tx, eq(lettersSent.userId, userId), most.account),
    organizationId === undefined ? 0 : await waitOf(tx, eq(lettersSent.orgId, organizationId), most.organization),
  ];
  const waitMs = Math.max(...waits);
  if (waitMs > 0) return { waitMs };
  const [row] = await tx
    .insert(lettersSent)
    .values({ kind, recipient, userId: userId ?? null, orgId: organizationId ?? null })
    .returning({ id: lettersSent.id });
  return { id: row!.id };
}

/** `takeLetter` for a caller who may learn that the limit is reached. @throws Problem 429 with Retry-After */
export async function requireLetter(tx: Tx, asked: Asked & { userId: string }): Promise<number> {
  const taken = await takeLetter(tx, asked);
  if ("id" in taken) return taken.id;
  throw tooMany("too_many_letters", "Слишком много писем за сутки. Повторите позже.", {
    retryAfter: taken.waitMs / 1000,
  });
}

export async function giveLetterBack(tx: Tx, id: number): Promise<void> {
  await tx.delete(lettersSent).where(eq(lettersSent.id, id));
}

type Condition = ReturnType<typeof eq>;

/** Returns the milliseconds until fewer than `most` of these letters lie within the 24 hours; 0 if that is so now. */
async function waitOf(tx: Tx, which: Condition, most: number): Promise<number> {
  const now = Date.now();
  const [oldest] = await tx
    .select({ at: lettersSent.at })
    .from(lettersSent)
    .where(and(which, gt(lettersSent.at, new Date(now - LETTERS_WINDOW_MS))))
    .orderBy(desc(lettersSent.at))
    .offset(most - 1)
    .limit(1);
  return oldest === undefined ? 0 : Math.max(1, oldest.at.getTime() + LETTERS_WINDOW_MS - now);
}

async function sinceLast(tx: Tx, which: Condition): Promise<number> {
  const [last] = await tx
    .select({ at: lettersSent.at })
    .from(lettersSent)
    .where(which)
    .orderBy(desc(lettersSent.at))
    .limit(1);
  return last === undefined ? 0 : Math.max(0, last.at.getTime() + RESET_AGAIN_MS - Date.now());
}
