/** What people asked in the period: the documents behind the answers, and the gaps of the caller's own twins. */
import { sql } from "drizzle-orm";
import { type Analytics, type AnalyticsQuery, ASKED_SHOWN, type Asked } from "#contract/report.ts";
import { lastUsageDays } from "#server/accounts/twins/usage.ts";
import { readableBy } from "#server/inbox/conversations/access.ts";
import { masked, personalSpans } from "#server/knowledge/facts/personal-data.ts";
import { askerOf } from "#server/knowledge/messages/people.ts";
import { contactNamesOf } from "#server/knowledge/messages/reply-examples.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { measuredAnswers } from "./counted-answers.ts";

/** Maximum number of conversations and of questions that are read, the latest. */
const MAX_CONVERSATIONS = 2000;
const MAX_QUESTIONS = 2000;

interface Looked {
  since: ReturnType<typeof sql>;
  twinId: string | undefined;
  /** Test chats count only while no customer has been answered (docs/decisions/037-analytics-counts.md). */
  areTests: NonNullable<Analytics["ofTests"]>;
}

export function loadAskedQuestions(
  db: Database,
  caller: Tenant,
  { days = "7", twinId }: AnalyticsQuery,
): Promise<Asked> {
  const first = lastUsageDays(Number(days))[0] as string;
  return asTenant(db, caller, async (tx) => {
    const { areTests } = await measuredAnswers(tx, caller);
    const since = sql`(${first}::timestamp at time zone 'Europe/Moscow')`;
    const looked = { since, twinId, areTests };
    return { documents: await documentsOf(tx, caller, looked), unanswered: await unansweredOf(tx, caller, looked) };
  });
}

const ofTwin = (column: ReturnType<typeof sql>, twinId: string | undefined) =>
  twinId === undefined ? sql`true` : sql`${column} = ${twinId}`;

/** One index finds the latest conversations, another each one's messages. */
async function documentsOf(tx: Tx, caller: Tenant, { since, twinId, areTests }: Looked): Promise<Asked["documents"]> {
  const { rows } = await tx.execute(sql`
    with recent as (
      select ${conversations.id} as id from ${conversations}
      where ${readableBy(caller)} and ${conversations.updatedAt} >= ${since}
        and ${areTests ? sql`true` : sql`${conversations.userId} is null`}
        and ${ofTwin(sql`${conversations.twinId}`, twinId)}
      order by ${conversations.updatedAt} desc limit ${MAX_CONVERSATIONS}
    ), answers as (
      select m.id, source ->> 'documentId' as document
      from recent join conversation_messages m on m.conversation_id = recent.id
      cross join lateral jsonb_array_elements(
        case when jsonb_typeof(m.citations -> 'sources') = 'array' then m.citations -> 'sources' else '[]' end) as source
      where m.role = 'assistant' and m.created_at >= ${since} and m.citations ->> 'basis' in ('knowledge', 'corrected')
    )
    select d.id, d.name, count(distinct answers.id)::int as answers
    from answers join documents d on d.id::text = answers.document and d.org_id = ${caller.organizationId}
    group by d.id order by answers desc, d.name limit ${ASKED_SHOWN}`);
  return rows as unknown as Asked["documents"];
}

/**
 * As on the page of gaps, only the owner sees them (docs/decisions/023-facts-and-unanswered-questions.md). Entries marked as no question
 * are left out.
 */
async function unansweredOf(
  tx: Tx,
  { organizationId, userId }: Tenant,
  { since, twinId, areTests }: Looked,
): Promise<Asked["unanswered"]> {
  const { rows } = await tx.execute(sql`
    with asked as (
      select q.id, q.twin_id, q.gap_id, q.said, q.question, q.answered, ${askerOf(sql`c.contact_id`, sql`c.id`)} as person
      from gap_questions q
      join twins t on t.id = q.twin_id and t.owner_id = ${userId}
      join conversations c on c.id = q.conversation_id and ${areTests ? sql`c.user_id = ${userId}` : sql`c.user_id is null`}
      where q.org_id = ${organizationId} and q.asked_at >= ${since} and ${ofTwin(sql`q.twin_id`, twinId)}
      order by q.asked_at desc limit ${MAX_QUESTIONS}
    ), counted as (
      select g.id, g.twin_id, g.state, count(distinct asked.person)::int as people, max(asked.id) as newest,
        g.state = 'answered' and bool_and(coalesce(asked.answered, false)) as known
      from asked join gaps g on g.id = asked.gap_id
      where g.state in ('open', 'answered') group by g.id
    )
    select counted.id as "gapId", counted.twin_id as "twinId", t.name as "twinName", counted.people,
      counted.state = 'answered' as answered, counted.known, coalesce(q.question, q.said) as question, (count(*) over ())::int as total
    from counted join twins t on t.id = counted.twin_id join gap_questions q on q.id = counted.newest
    order by counted.state = 'answered', counted.people desc, counted.newest desc limit ${ASKED_SHOWN}`);
  const found = rows as unknown as (Asked["unanswered"]["first"][number] & { total: number })[];
  const names = new Map<string, Awaited<ReturnType<typeof contactNamesOf>>>();
  const first: Asked["unanswered"]["first"] = [];
  for (const { total: _, ...row } of found) {
    const known = names.get(row.twinId) ?? (await contactNamesOf(tx, row.twinId));
    names.set(row.twinId, known);
    first.push({ ...row, question: masked(row.question, personalSpans(row.question, known)) });
  }
  return { total: found[0]?.total ?? 0, first };
}
