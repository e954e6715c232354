import { and, asc, desc, eq, isNull, or } from "drizzle-orm";
import type { ChatMessage, Conversation } from "#contract/conversations.ts";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { conversationMessages, conversations, twins } from "#server/db/schema.ts";
import type { Grounds } from "#server/engine/reply.ts";
import { notFound } from "#server/errors.ts";

const LIST_LIMIT = 200;
const MESSAGES_LIMIT = 1000;

/** What an answer stood on, as it is stored beside the message. */
export type StoredGrounds = Grounds & {
  /** The reader stopped the stream: the text is what had arrived. */
  stopped?: boolean;
};

export const conversationNotFound = () => notFound("Диалог не найден", "conversation_not_found");

/** A test chat belongs to the member who opened it; a contact's conversation to all who may read the twin. */
const readableBy = (viewer: Tenant) =>
  and(
    eq(conversations.orgId, viewer.organizationId),
    or(isNull(conversations.userId), eq(conversations.userId, viewer.userId)),
  );

/** Newest first. */
export async function listConversations(db: Database, viewer: Tenant): Promise<Conversation[]> {
  const rows = await asTenant(db, viewer, (tx) =>
    tx
      .select({ conversation: conversations, twinName: twins.name })
      .from(conversations)
      .innerJoin(twins, eq(twins.id, conversations.twinId))
      .where(readableBy(viewer))
      .orderBy(desc(conversations.updatedAt))
      .limit(LIST_LIMIT),
  );
  return rows.map(({ conversation, twinName }) => ({
    id: conversation.id,
    twinId: conversation.twinId,
    twinName,
    participants: { name: conversation.participantName, status: conversation.status },
    platform: conversation.platform,
    lastMessage: conversation.lastMessage,
    messageCount: conversation.messageCount,
    createdAt: conversation.createdAt.toISOString(),
    updatedAt: conversation.updatedAt.toISOString(),
  }));
}

/** Oldest first, the latest thousand. @throws Problem 404 */
export async function conversationTranscript(db: Database, viewer: Tenant, id: string): Promise<ChatMessage[]> {
  const rows = await asTenant(db, viewer, async (tx) => {
    const [conversation] = await tx
      .select({ id: conversations.id })
      .from(conversations)
      .where(and(eq(conversations.id, id), readableBy(viewer)));
    if (conversation === undefined) throw conversationNotFound();
    const latest = tx
      .select()
      .from(conversationMessages)
      .where(eq(conversationMessages.conversationId, id))
      .orderBy(desc(conversationMessages.id))
      .limit(MESSAGES_LIMIT)
      .as("latest");
    return tx.select().from(latest).orderBy(asc(latest.id));
  });
  return rows.map((row) => {
    const grounds = row.grounds as StoredGrounds | null;
    return {
      id: String(row.id),
      role: row.role,
      content: row.content,
      timestamp: row.createdAt.toISOString(),
      sources: grounds?.sources ?? [],
      confidence: grounds?.confidence ?? null,
    };
  });
}
