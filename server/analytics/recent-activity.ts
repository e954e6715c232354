/** What happened last in an organisation, each entry as far as the member may know it. */
import { and, desc, eq, sql } from "drizzle-orm";
import type { ActivityEntry } from "#contract/analytics.ts";
import { readableBy } from "#server/conversations/access.ts";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { activity, conversations, twins } from "#server/db/schema.ts";

const RECENT_ENTRIES = 20;

/** What everybody may know of an entry whose own words are not theirs to read. */
const OPEN_WORDS: Record<string, string> = {
  response_generated: "Ответ двойника",
  dialogue_added: "Добавлена переписка",
};

/**
 * Newest first. An answer quotes the question: whoever may read its conversation reads that; what belongs to no conversation, and
 * whose correspondence was added, is the twin's owner's. Others are told that something happened.
 */
export async function recentActivity(db: Database, viewer: Tenant): Promise<ActivityEntry[]> {
  const isOwner = eq(twins.ownerId, viewer.userId);
  const rows = await asTenant(db, viewer, (tx) =>
    tx
      .select({
        entry: activity,
        readable: sql<boolean>`case
          when ${activity.type} = 'response_generated' and ${activity.conversationId} is not null then ${conversations.id} is not null
          else coalesce(${isOwner}, false) end`,
      })
      .from(activity)
      .leftJoin(conversations, and(eq(conversations.id, activity.conversationId), readableBy(viewer)))
      .leftJoin(twins, eq(twins.id, activity.twinId))
      .where(eq(activity.orgId, viewer.organizationId))
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
