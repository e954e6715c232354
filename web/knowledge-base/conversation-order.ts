import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";

/** Of a message whose chat is not known: none. */
const conversationOf = ({ chatName, platform, digitalTwinId }: KnowledgeMessage) =>
  chatName ? JSON.stringify([chatName, platform, digitalTwinId]) : undefined;

/**
 * One page of messages, newest first, as it is read: the newest conversation first, and in it each question above its answer.
 * Page by page, so that a page that arrives later never moves what is already in sight.
 */
export function inConversations(page: readonly KnowledgeMessage[]): KnowledgeMessage[] {
  const conversations = Map.groupBy(page, (message) => conversationOf(message) ?? message.id);
  return [...conversations.values()].flatMap((messages) => messages.reverse());
}

/** Whether a conversation begins here, or goes on from a page of older messages. */
export function beginsConversation(message: KnowledgeMessage, before: KnowledgeMessage | undefined): boolean {
  const conversation = conversationOf(message);
  if (conversation === undefined) return false;
  return !before || conversationOf(before) !== conversation || before.timestamp > message.timestamp;
}
