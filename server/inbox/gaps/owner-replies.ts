/** Proposes the owner's own replies to such questions as his answer to the gap; sends nothing to contacts. */
import { sql } from "drizzle-orm";
import { LONGEST_FACT } from "#contract/knowledge/chat-facts.ts";
import type { TwinRow } from "#server/accounts/twins/twins.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** Days after which a message of the owner hardly answers that question. */
const DAYS = 7;

interface OwnerReply {
  text: string;
  repliedAt: string;
  conversationId: string;
}

/**
 * Returns the newest reply for each gap: the owner's first message after the question, or a draft for it that he rewrote. Test chats have
 * none.
 */
export async function proposalsFor(
  tx: Tx,
  { id: twinId }: TwinRow,
  gapIds: readonly string[],
): Promise<Map<string, OwnerReply>> {
  const { rows } = await tx.execute(sql`
    select distinct on (q.gap_id) q.gap_id, q.conversation_id, reply.text, reply.at
    from gap_questions q join lateral (
      (select m.content as text, m.created_at as at from conversation_messages m
        where m.conversation_id = q.conversation_id and m.id > q.message_id and m.author = 'owner' order by m.id limit 1)
      union all
      -- Noted in the transaction that stored the draft.
      (select o.text, o.sent_at as at from outbox o
        where o.conversation_id = q.conversation_id and o.created_at = q.asked_at and o.state = 'sent'
          and o.original is not null and o.original <> o.text limit 1)
    ) reply on reply.at < q.asked_at + make_interval(days => ${DAYS})
    where q.twin_id = ${twinId} and q.gap_id = any(${sql.param(gapIds)}::uuid[])
      and length(reply.text) between 1 and ${LONGEST_FACT.text}
    order by q.gap_id, reply.at desc`);
  return new Map(
    (rows as { gap_id: string; conversation_id: string; text: string; at: Date | string }[]).map((row) => [
      row.gap_id,
      { text: row.text, repliedAt: new Date(row.at).toISOString(), conversationId: row.conversation_id },
    ]),
  );
}
