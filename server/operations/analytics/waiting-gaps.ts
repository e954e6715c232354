/** Gaps on the dashboard: each question waits once, in its conversation or among the gaps. */

import { sql } from "drizzle-orm";
import { WAITING_SHOWN, type Waiting } from "#contract/analytics.ts";
import { hasNoAnswer } from "#server/inbox/unanswered/unanswered.ts";
import { masked, personalSpans } from "#server/knowledge/facts/personal-data.ts";
import { askerOf } from "#server/knowledge/messages/people.ts";
import { contactNamesOf } from "#server/knowledge/messages/reply-examples.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Caller } from "#server/platform/http/route.ts";

/** SQL condition: the owner's answer is awaited, being sent or being learnt, so the question is not a gap yet. */
const ANSWERED_THERE = sql`(o.state in ('draft', 'pending', 'sending')
  or (o.state = 'sent' and (o.teaches or o.teaches_scope is not null) and o.sent_at > now() - interval '1 minute'))`;

/**
 * SQL for every question behind an open gap of the caller's own twins, because only the owner sees them
 * (docs/decisions/023-facts-and-unanswered-questions.md). It adds the empty draft in the same conversation, if any. The owner's own test
 * chats do not count as a person.
 */
const asked = ({ organizationId, userId }: Caller) => sql`
  asked as (
    select g.twin_id, g.id as gap_id, q.id, q.asked_at, waiting.id as answer_id,
      ${askerOf(sql`c.contact_id`)} as person
    from gaps g join twins t on t.id = g.twin_id and t.org_id = ${organizationId} and t.owner_id = ${userId}
    join gap_questions q on q.gap_id = g.id
    join conversations c on c.id = q.conversation_id and (c.user_id is null or c.user_id = t.owner_id)
    left join lateral (select o.id from outbox o where o.conversation_id = q.conversation_id
      and ${hasNoAnswer(sql`o.citations`)} and position(q.said in o.question) > 0 and ${ANSWERED_THERE}
      order by o.state <> 'draft' limit 1) waiting on true
    where g.state = 'open'
  ),
  counted as (
    select twin_id, gap_id, count(distinct person) as people, max(id) as newest, min(asked_at) as since,
      bool_or(answer_id is not null) as waits
    from asked group by twin_id, gap_id
  )`;

/** Returns one row per twin. A question of one person that waits in the conversation is not counted again. */
export async function openGaps(tx: Tx, caller: Caller): Promise<Waiting["gaps"]> {
  const { rows } = await tx.execute(sql`
    with ${asked(caller)}
    select distinct on (one.twin_id) one.twin_id as "twinId", one.gap_id as "gapId", t.name as "twinName",
      coalesce(q.question, q.said) as question, q.said, one.people::int as people, (count(*) over (partition by one.twin_id))::int as questions,
      min(one.since) over (partition by one.twin_id) as since,
      exists (select 1 from counted o where o.twin_id = one.twin_id and o.people <= 1 and o.waits) as "areMore"
    from counted one join twins t on t.id = one.twin_id join gap_questions q on q.id = one.newest
    where one.people > 1 or not one.waits
    order by one.twin_id, one.people desc, one.newest desc`);
  const found = rows as unknown as (Waiting["gaps"]["first"][number] & { since: Date | string })[];
  const first = found
    .toSorted((a, b) => b.questions - a.questions || a.twinName.localeCompare(b.twinName))
    .slice(0, WAITING_SHOWN);
  const shown: Waiting["gaps"]["first"] = [];
  for (const row of first) {
    // Personal data in the question is masked, because one answer goes to all askers.
    const names = await contactNamesOf(tx, row.twinId);
    const hidden = (text: string) => masked(text, personalSpans(text, names));
    shown.push({
      ...row,
      question: hidden(row.question),
      said: hidden(row.said ?? row.question),
      since: new Date(row.since).toISOString(),
    });
  }
  return { total: found.length, first: shown };
}

export async function answersOfSharedGaps(tx: Tx, caller: Caller): Promise<string[]> {
  const { rows } = await tx.execute(sql`
    with ${asked(caller)}
    select asked.answer_id as id from asked join counted using (gap_id) where asked.answer_id is not null
    group by asked.answer_id having bool_and(counted.people > 1)`);
  return rows.map(({ id }) => String(id));
}
