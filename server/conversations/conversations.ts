import { and, desc, eq, ilike, isNull, or, type SQL, sql } from "drizzle-orm";
import {
  CONVERSATIONS_PAGE,
  type Conversation,
  type ConversationInput,
  type ConversationsQuery,
  type ConversationTotals,
  type ConversationUpdate,
} from "#contract/conversations.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { conversations, twins } from "#server/db/schema.ts";
import type { Viewer } from "#server/http.ts";
import { getTwinRow } from "#server/twins/twins.ts";
import { canChangeConversation, conversationNotFound, readableBy } from "./access.ts";

export const TEST_CHAT_NAME = "Тестовый чат";

/** The whole of the column, in microseconds: a cursor cut to milliseconds would show or hide rows twice. */
const exactly = sql<string>`to_char(${conversations.updatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const columns = { conversation: conversations, twinName: twins.name, exactly };

function toJson({ conversation, twinName, exactly }: Row): Conversation {
  return {
    id: conversation.id,
    twinId: conversation.twinId,
    twinName,
    participants: { name: conversation.participantName, status: conversation.status },
    platform: conversation.platform,
    lastMessage: conversation.lastMessage,
    messageCount: conversation.messageCount,
    createdAt: conversation.createdAt.toISOString(),
    updatedAt: conversation.updatedAt.toISOString(),
    lead: conversation.userId !== null ? null : isPaused(conversation) ? "me" : "twin",
    unread: conversation.unread,
    cursor: `${exactly},${conversation.id}`,
  };
}

const isPaused = ({ pausedUntil }: Pick<typeof conversations.$inferSelect, "pausedUntil">) =>
  pausedUntil !== null && pausedUntil > new Date();

type Row = { conversation: typeof conversations.$inferSelect; twinName: string; exactly: string };

/** Newest first; at most `CONVERSATIONS_PAGE`, those behind `query.before` when it is given. */
export async function listConversations(
  db: Database,
  viewer: Tenant,
  query: ConversationsQuery,
): Promise<Conversation[]> {
  const rows = await asTenant(db, viewer, (tx) =>
    tx
      .select(columns)
      .from(conversations)
      .innerJoin(twins, eq(twins.id, conversations.twinId))
      .where(and(readableBy(viewer), ...filtersOf(query)))
      .orderBy(desc(conversations.updatedAt), desc(conversations.id))
      .limit(CONVERSATIONS_PAGE),
  );
  return rows.map(toJson);
}

function filtersOf({ before, q, status, platform, twinId, lead }: ConversationsQuery): (SQL | undefined)[] {
  const place = before?.split(",");
  const part = q ? `%${q.replace(/[\\%_]/g, "\\$&")}%` : undefined;
  return [
    place && sql`(${conversations.updatedAt}, ${conversations.id}) < (${place[0]}::timestamptz, ${place[1]}::uuid)`,
    part === undefined
      ? undefined
      : or(ilike(conversations.participantName, part), ilike(twins.name, part), ilike(conversations.lastMessage, part)),
    status === undefined ? undefined : eq(conversations.status, status),
    platform ? eq(conversations.platform, platform) : undefined,
    twinId === undefined ? undefined : eq(conversations.twinId, twinId),
    lead === undefined
      ? undefined
      : lead === "me"
        ? sql`${conversations.pausedUntil} > now()`
        : sql`coalesce(${conversations.pausedUntil} <= now(), true)`,
  ];
}

export async function conversationTotals(db: Database, viewer: Tenant): Promise<ConversationTotals> {
  const [row] = await asTenant(db, viewer, (tx) =>
    tx
      .select({
        conversations: sql<number>`count(*)::int`,
        active: sql<number>`(count(*) filter (where ${conversations.status} = 'active'))::int`,
        messages: sql<number>`coalesce(sum(${conversations.messageCount}), 0)::float8`,
      })
      .from(conversations)
      .where(readableBy(viewer)),
  );
  return row as ConversationTotals;
}

/** @throws Problem 404 */
export function getConversation(db: Database, viewer: Tenant, id: string): Promise<Conversation> {
  return asTenant(db, viewer, (tx) => findConversation(tx, viewer, id));
}

async function findConversation(tx: Tx, viewer: Tenant, id: string): Promise<Conversation> {
  const [row] = await tx
    .select(columns)
    .from(conversations)
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(eq(conversations.id, id), readableBy(viewer)));
  if (row === undefined) throw conversationNotFound();
  return toJson(row);
}

/** A fresh test dialogue; the one that is still empty is given again. @throws Problem 404 */
export function openTestConversation(db: Database, viewer: Viewer, { twinId }: ConversationInput) {
  return asTenant(db, viewer, async (tx) => {
    const { organizationId: orgId, userId } = viewer;
    await getTwinRow(tx, viewer, twinId);
    const [empty] = await tx
      .select({ id: conversations.id })
      .from(conversations)
      .where(
        and(
          eq(conversations.orgId, orgId),
          eq(conversations.twinId, twinId),
          eq(conversations.userId, userId),
          eq(conversations.messageCount, 0),
          eq(conversations.status, "active"),
          isNull(conversations.lastMessage),
        ),
      )
      .limit(1);
    const [row] = empty
      ? [empty]
      : await tx
          .insert(conversations)
          .values({ orgId, twinId, userId, participantName: TEST_CHAT_NAME })
          .returning({ id: conversations.id });
    return findConversation(tx, viewer, (row as { id: string }).id);
  });
}

/** Its place in the list is the time of its last message, so closing does not move it. @throws Problem 404, 403 */
export function updateConversation(db: Database, viewer: Viewer, id: string, { status }: ConversationUpdate) {
  return asTenant(db, viewer, async (tx) => {
    await canChangeConversation(tx, viewer, id);
    await tx.update(conversations).set({ status }).where(eq(conversations.id, id));
    return findConversation(tx, viewer, id);
  });
}

/** Messages and what was thought of them go with it. @throws Problem 404, 403 */
export function removeConversation(db: Database, viewer: Viewer, id: string): Promise<void> {
  return asTenant(db, viewer, async (tx) => {
    await canChangeConversation(tx, viewer, id);
    await tx.delete(conversations).where(eq(conversations.id, id));
  });
}
