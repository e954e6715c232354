/** Counts the people who asked a question that waits for the owner's answer: the reason to publish the answer. */
import { sql } from "drizzle-orm";
import { askerOf } from "#server/knowledge/messages/people.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Returns the counts by answer id, for questions sorted into gaps. The owner's own test chats do not count; contacts merged into one person
 * count once. Of several questions in one answer, the one with the fewest people counts.
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
