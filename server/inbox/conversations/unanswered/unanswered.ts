/** Notes the messages that a twin leaves without an answer; server/inbox/gaps sorts them into questions for its owner. */
import { type SQL, sql } from "drizzle-orm";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

/** Characters of a message that are kept: a longer one is a story. */
export const MAX_QUESTION_CHARS = 1000;

/** Whether an answer with these grounds says nothing of what was asked. A quotation may help, so it is one until the owner rejects it. */
export const isUnanswered = ({ basis }: Pick<Citations, "basis">): boolean => basis === "unknown";

/** Milliseconds that a noted question waits for others, so that a rush of them is sorted together. Tests make it shorter. */
export const SORTING = { afterMs: 2000 };
/** Milliseconds before a job's start time in which a machine with another clock may already run it. */
const CLOCKS_DIFFER_MS = 500;
const MOST_REMEMBERED = 10_000;

/** By twin, when the job is due that this process has asked for last. */
const sortedAt = new Map<string, number>();

/** When questions noted now are sorted: the earliest start of `close-gaps`. */
export const sortStartTime = (): Date => new Date(Date.now() + SORTING.afterMs);

/** Has what is stored already sorted, once for many questions in a row. Were the job lost, the cleanup asks for it again. */
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
  /** What was asked, perhaps in several messages. */
  said: string;
  /** When it was answered, where that is not now: later messages ask something else. */
  until?: Date;
}

/** In the transaction that stores the answer. Noting the same message again changes nothing. */
export async function recordUnanswered(tx: Tx, { orgId, twinId, conversationId, said, until }: Left): Promise<void> {
  const before: SQL = until === undefined ? sql`` : sql` and created_at <= ${until.toISOString()}::timestamptz`;
  await tx.execute(sql`
    insert into gap_questions (org_id, twin_id, conversation_id, message_id, said)
    select ${orgId}, ${twinId}, ${conversationId}, asked.id, ${said.slice(0, MAX_QUESTION_CHARS).toWellFormed()}
    from (select max(id) as id from conversation_messages
      where conversation_id = ${conversationId} and role = 'user'${before}) asked
    where asked.id is not null on conflict do nothing`);
}
