import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";

/** Returns the conversation's key; undefined when the message's chat is unknown. */
const conversationOf = ({ chatName, platform, digitalTwinId }: KnowledgeMessage) =>
  chatName ? JSON.stringify([chatName, platform, digitalTwinId]) : undefined;

/**
 * Sorts one page of messages for reading: the newest conversation first, and in it each question above its answer.
 * It works page by page, so that a later page never moves visible messages.
 */
export function inConversations(page: readonly KnowledgeMessage[]): KnowledgeMessage[] {
  const conversations = Map.groupBy(page, (message) => conversationOf(message) ?? message.id);
  return [...conversations.values()].flatMap((messages) => messages.reverse());
}

/** Whether a conversation begins at this message, or continues from an older page. */
export function beginsConversation(message: KnowledgeMessage, before: KnowledgeMessage | undefined): boolean {
  const conversation = conversationOf(message);
  if (conversation === undefined) return false;
  return !before || conversationOf(before) !== conversation || before.timestamp > message.timestamp;
}
