/** The latest events in an organisation, with as many details as the member may see. */
import { and, desc, eq, sql } from "drizzle-orm";
import type { ActivityEntry } from "#contract/analytics.ts";
import { readableBy } from "#server/inbox/conversations/access.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

const RECENT_ENTRIES = 20;

/** Sentences for members who may not read an entry's own words. */
const OPEN_WORDS: Record<string, string> = {
  response_generated: "Ответ двойника",
  dialogue_added: "Добавлена переписка",
};

/**
 * Returns the events, newest first. An entry about an answer quotes the question for those who may read its conversation. Entries without a
 * conversation, and those about added correspondence, belong to the twin's owner; others see only their kind.
 */
export async function recentActivity(db: Database, caller: Tenant): Promise<ActivityEntry[]> {
  const isOwner = eq(twins.ownerId, caller.userId);
  const rows = await asTenant(db, caller, (tx) =>
    tx
      .select({
        entry: activity,
        readable: sql<boolean>`case
          when ${activity.type} = 'response_generated' and ${activity.conversationId} is not null then ${conversations.id} is not null
          else coalesce(${isOwner}, false) end`,
      })
      .from(activity)
      .leftJoin(conversations, and(eq(conversations.id, activity.conversationId), readableBy(caller)))
      .leftJoin(twins, eq(twins.id, activity.twinId))
      .where(eq(activity.orgId, caller.organizationId))
      .orderBy(desc(activity.id))
      .limit(RECENT_ENTRIES),
  );
  return rows.map(({ entry, readable }) => ({
    id: String(entry.id),
    type: entry.type,
    twinName: entry.twinName,
    description: readable ? entry.description : (OPEN_WORDS[entry.type] ?? entry.description),
    timestamp: entry.createdAt.toISOString(),
  }));
}
