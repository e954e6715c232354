import type { Approval } from "#contract/conversations/approvals.ts";
import type { ChatMessage, Conversation, Reply } from "#contract/conversations/conversations.ts";
import { NOW, uuid } from "./ids.ts";

/** With whom a twin talks, as the list of conversations has it. */
export const buildContact = (own: Partial<Conversation["participants"]> = {}): Conversation["participants"] => ({
  name: "Мария",
  status: "active",
  ...own,
});

export const buildConversation = (n: number, own: Partial<Conversation> = {}): Conversation => ({
  id: uuid(400 + n),
  twinId: uuid(1),
  twinName: "Анна",
  participants: buildContact(),
  platform: "telegram",
  lastMessage: null,
  messageCount: 2,
  createdAt: NOW,
  updatedAt: NOW,
  lead: "twin",
  pausedUntil: null,
  unread: 0,
  assignee: null,
  snoozedUntil: null,
  labels: [],
  match: null,
  cursor: `2025-11-20T07:01:00.000000Z,${uuid(400 + n)}`,
  ...own,
});

/** A line of a conversation: the contact's, unless it says whose. */
export const buildMessage = (n: number, own: Partial<ChatMessage> = {}): ChatMessage => ({
  id: String(n),
  role: "user",
  content: `Сообщение ${n}`,
  timestamp: NOW,
  sources: [],
  confidence: null,
  durationMs: null,
  feedback: null,
  ...own,
});

/** What a twin answers in its test chat. */
export const buildReply = (own: Partial<Reply> = {}): Reply => ({
  response: "Доставка по Москве 1–2 дня",
  sources: [],
  replyExamples: [],
  confidence: 0.82,
  basis: "knowledge",
  reason: "Ответ найден в документе «Доставка».",
  conversationId: uuid(600),
  messageId: "7",
  ...own,
});

/** A draft that waits for its owner. */
export const buildApproval = (n: number, own: Partial<Approval> = {}): Approval => ({
  id: uuid(300 + n),
  conversationId: uuid(400 + n),
  twinId: uuid(1),
  twinName: "Анна",
  platform: "telegram",
  contactName: `Собеседник ${n}`,
  author: "twin",
  question: `Вопрос ${n}`,
  text: `Ответ ${n}`,
  state: "draft",
  reason: "Вы решаете, что отправить",
  confidence: 0.8,
  basis: "knowledge",
  sources: [],
  createdAt: NOW,
  undoUntil: null,
  ...own,
});
