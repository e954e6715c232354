import { and, desc, eq, inArray, isNotNull, notInArray } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { conversationMessages, conversations, inboxEvents } from "#server/db/schema.ts";
import type { HistoryTurn } from "#server/language/history-turn.ts";

const HISTORY_TURNS = 12;

/** The latest turns of a conversation, oldest first, without the messages that are answered now. @param answered ids of their events */
export async function historyOf(tx: Tx, conversationId: string, answered: number[]): Promise<HistoryTurn[]> {
  const now = tx
    .select({ id: inboxEvents.messageId })
    .from(inboxEvents)
    // One that is not written yet has none, and beside a null «not in» holds for no row.
    .where(and(inArray(inboxEvents.id, answered), isNotNull(inboxEvents.messageId)));
  const rows = await tx
    .select({ role: conversationMessages.role, content: conversationMessages.content })
    .from(conversationMessages)
    .where(and(eq(conversationMessages.conversationId, conversationId), notInArray(conversationMessages.id, now)))
    .orderBy(desc(conversationMessages.id))
    .limit(HISTORY_TURNS);
  return rows.reverse();
}

/** The same before the messages are taken in; nothing where the talk begins with them. */
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
