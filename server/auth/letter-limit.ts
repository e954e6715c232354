/**
 * How many letters leave. Counted in a table of its own, so that taking an invitation back and sending it again, another session or
 * another address starts nothing anew (docs/decisions/037).
 */
import { createHash } from "node:crypto";
import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { lettersSent } from "#server/db/schema.ts";
import { tooMany } from "#server/errors.ts";

export type LetterKind = (typeof lettersSent.$inferSelect)["kind"];

const HOUR_MS = 3600_000;
export const LETTERS_WINDOW_MS = 24 * HOUR_MS;
/** In any 24 hours. */
export const LETTERS_PER_DAY = {
  /** Of one kind, to one mailbox, whoever asks. */
  recipient: { confirmation: 5, reset: 5, invitation: 5 } satisfies Record<LetterKind, number>,
  /** That one account asks for. */
  account: 30,
  organization: 100,
};
/**
 * A link for a new password may still be sent after that, when the last one has had its time: else anybody could keep an owner out by
 * asking for letters in their name.
 */
const RESET_AGAIN_MS = HOUR_MS;

interface Asked {
  kind: LetterKind;
  to: string;
  /** The account that asks for it; absent where nobody is signed in. */
  userId?: string;
  organizationId?: string;
}

/** Hashed: the table shall not collect addresses of people who have no account here. */
const recipientOf = (to: string): string => createHash("sha256").update(to.toLowerCase()).digest("hex");

/** Counts the letter, unless there were too many: then the milliseconds until one may go, and nothing is counted. */
export async function takeLetter(
  tx: Tx,
  { kind, to, userId, organizationId }: Asked,
): Promise<{ id: number } | { waitMs: number }> {
  const recipient = recipientOf(to);
  // Always in this order, so that two letters never wait for each other.
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

/** The same for a caller who may be told. @throws Problem 429 with Retry-After */
export async function demandLetter(tx: Tx, asked: Asked & { userId: string }): Promise<number> {
  const taken = await takeLetter(tx, asked);
  if ("id" in taken) return taken.id;
  throw tooMany("too_many_letters", "Слишком много писем за сутки. Повторите позже.", {
    retryAfter: taken.waitMs / 1000,
  });
}

/** What the mail server has refused was no letter. */
export async function giveLetterBack(tx: Tx, id: number): Promise<void> {
  await tx.delete(lettersSent).where(eq(lettersSent.id, id));
}

type Condition = ReturnType<typeof eq>;

/** Until fewer than `most` of them lie within the window; 0 for now. */
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
