import { sql } from "drizzle-orm";
import { type KnowledgeUses, USES_DAYS } from "#contract/knowledge/knowledge-uses.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { isReadableMessage, readableBy } from "./access.ts";

/** Number of the latest conversations that are counted. */
const MAX_CONVERSATIONS = 5000;

interface UseRow {
  document: string;
  fact: string | null;
  answers: number;
  at: string;
  conversation: string;
}

/**
 * Counts answers by their stored sources, in conversations that the caller may read. Indexes find the latest conversations and each one's
 * messages.
 */
export async function knowledgeUses(db: Database, caller: Tenant, limit = MAX_CONVERSATIONS): Promise<KnowledgeUses> {
  const since = sql`now() - make_interval(days => ${USES_DAYS})`;
  const { rows } = await asTenant(db, caller, (tx) =>
    tx.execute(sql`
      with recent as (
        select ${conversations.id} as id from ${conversations}
        where ${readableBy(caller)} and ${conversations.updatedAt} > ${since}
        order by ${conversations.updatedAt} desc limit ${limit}
      ), answers as (
        select m.id, m.conversation_id, m.created_at, source->>'documentId' as document,
          case when source->>'documentId' = '' then source->>'text' end as fact
        from recent join ${conversationMessages} m on m.conversation_id = recent.id and ${isReadableMessage(caller, "m")}
        cross join lateral jsonb_array_elements(
          case when jsonb_typeof(m.citations->'sources') = 'array' then m.citations->'sources' else '[]' end) as source
        where m.role = 'assistant' and m.created_at > ${since} and m.citations->>'basis' in ('knowledge', 'corrected')
      )
      select document, fact, count(distinct id)::int as answers,
        to_char(max(created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
        (array_agg(conversation_id order by id desc))[1] as conversation, (select count(*)::int from recent) as looked
      from answers where document is not null group by document, fact`),
  );
  const found = rows as unknown as (UseRow & { looked: number })[];
  return {
    uses: found.map(({ document, fact, answers, at, conversation }) => ({
      documentId: document === "" ? null : document,
      fact,
      answers,
      last: { conversationId: conversation, at },
    })),
    atLeast: (found[0]?.looked ?? 0) >= limit,
  };
}
