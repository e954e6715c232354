/** Records the messages that a twin leaves without an answer; server/inbox/gaps sorts them into gaps for its owner. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

/** Characters of a message that are kept; longer messages are stories rather than questions. */
export const MAX_QUESTION_CHARS = 1000;

/**
 * Returns whether an answer with this basis says nothing about the question. A quotation may help, so it counts as unanswered only after
 * the owner rejects it.
 */
export const isUnanswered = ({ basis }: Pick<Citations, "basis">): boolean => basis === "unknown";

/** SQL condition of `isUnanswered`, null without citations. @param citations the column, such as sql`o.citations` */
export const hasNoAnswer = (citations: SQLWrapper): SQL => sql`(${citations} ->> 'basis' = 'unknown')`;

/** Milliseconds that a recorded question waits for others, so that a burst of questions is sorted together. Tests make it shorter. */
export const SORTING = { afterMs: 2000 };
/** Milliseconds before a job's start time in which a machine with another clock may already run it. */
const CLOCKS_DIFFER_MS = 500;
const MOST_REMEMBERED = 10_000;

/** By twin, the start time of the job that this process enqueued last. */
const sortedAt = new Map<string, number>();

/** Returns when questions recorded now are sorted: the earliest start of `close-gaps`. */
export const sortStartTime = (): Date => new Date(Date.now() + SORTING.afterMs);

/** Enqueues the sorting of stored questions, once for many in a row. If the job is lost, the cleanup enqueues it again. */
export async function enqueueSorting(
  { db, jobs }: { db: Database; jobs: Pick<Jobs, "enqueue"> },
  { organizationId, userId, twinId }: Tenant & { twinId: string },
): Promise<void> {
  if ((sortedAt.get(twinId) ?? 0) > Date.now() + CLOCKS_DIFFER_MS) return;
  const due = sortStartTime();
  await asTenant(db, { organizationId, userId }, (tx) =>
    jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId }, due),
  );
  if (sortedAt.size >= MOST_REMEMBERED) sortedAt.clear();
  sortedAt.set(twinId, due.getTime());
}

interface Left {
  orgId: string;
  twinId: string;
  conversationId: string;
  /** The question, perhaps in several messages. */
  said: string;
  /** When it was answered, if not now: later messages ask something else. */
  until?: Date;
}

/** Runs in the transaction that stores the answer. Recording the same message again changes nothing. */
export async function recordUnanswered(tx: Tx, { orgId, twinId, conversationId, said, until }: Left): Promise<void> {
  const before: SQL = until === undefined ? sql`` : sql` and created_at <= ${until.toISOString()}::timestamptz`;
  await tx.execute(sql`
    insert into gap_questions (org_id, twin_id, conversation_id, message_id, said)
    select ${orgId}, ${twinId}, ${conversationId}, asked.id, ${said.slice(0, MAX_QUESTION_CHARS).toWellFormed()}
    from (select max(id) as id from conversation_messages
      where conversation_id = ${conversationId} and role = 'user'${before}) asked
    where asked.id is not null on conflict do nothing`);
}
