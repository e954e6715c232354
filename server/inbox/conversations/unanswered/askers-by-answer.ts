/** How many people have asked a question that waits for the owner's answer: the reason to publish the answer. */
import { sql } from "drizzle-orm";
import { askerOf } from "#server/knowledge/messages/people.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * By the answer's id, for those whose question is sorted among the gaps. The owner's own test chats are no person; contacts of which a
 * member has said that they are one person count once, and of several questions in one answer that with the fewest people counts.
 */
export async function countAskersByAnswer(tx: Tx, outboxIds: readonly string[]): Promise<Map<string, number>> {
  if (outboxIds.length === 0) return new Map();
  const { rows } = await tx.execute(sql`
    select id, min(people)::int as people from (
      select waiting.id, own.gap_id, count(distinct ${askerOf(sql`c.contact_id`)}) as people
      from outbox waiting
      join gap_questions own on own.conversation_id = waiting.conversation_id and position(own.said in waiting.question) > 0
      join gap_questions q on q.gap_id = own.gap_id
      join conversations c on c.id = q.conversation_id
      where waiting.id = any(${sql.param([...outboxIds])}::uuid[])
      group by waiting.id, own.gap_id) counted
    group by id`);
  return new Map(rows.map(({ id, people }) => [String(id), Number(people)]));
}
