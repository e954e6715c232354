import { and, desc, eq, inArray, isNotNull, notInArray } from "drizzle-orm";
import { type HistoryTurn, MAX_HISTORY_TURNS } from "#server/knowledge/language/history-turn.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, inboxEvents } from "#server/platform/db/schema/conversations.ts";

/** Returns the latest turns of a conversation, oldest first, without the messages being answered. @param answered ids of their events */
export async function historyOf(tx: Tx, conversationId: string, answered: number[]): Promise<HistoryTurn[]> {
  const now = tx
    .select({ id: inboxEvents.messageId })
    .from(inboxEvents)
    // Unwritten events have a null id, with which «not in» would match no row.
    .where(and(inArray(inboxEvents.id, answered), isNotNull(inboxEvents.messageId)));
  const rows = await tx
    .select({
      role: conversationMessages.role,
      content: conversationMessages.content,
      secrecy: conversationMessages.secrecy,
    })
    .from(conversationMessages)
    .where(and(eq(conversationMessages.conversationId, conversationId), notInArray(conversationMessages.id, now)))
    .orderBy(desc(conversationMessages.id))
    .limit(MAX_HISTORY_TURNS);
  return rows.reverse();
}

/** Returns the turns before unwritten messages; empty if the conversation begins with them. */
export async function historyBefore(
  tx: Tx,
  { integrationId, externalId }: { integrationId: string; externalId: string },
  answered: number[],
): Promise<HistoryTurn[]> {
  const [conversation] = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.integrationId, integrationId), eq(conversations.externalId, externalId)));
  return conversation === undefined ? [] : historyOf(tx, conversation.id, answered);
}
