/** What was said in conversations, found by parts of words and by forms of them. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { searchText } from "../knowledge/search-text.ts";
import { ChatMessage, ConversationsQuery } from "./conversations.ts";

export const FoundMessage = z.object({
  id: z.string(),
  conversationId: z.string(),
  twinName: z.string(),
  participantName: z.string(),
  /** `test` is the owner's own chat with the twin. */
  platform: z.string(),
  role: ChatMessage.shape.role,
  author: ChatMessage.shape.author,
  /** The message around the first of the words, cut between words with «…» where it goes on. */
  excerpt: z.string(),
  timestamp: z.string(),
});
export type FoundMessage = z.infer<typeof FoundMessage>;

export const FoundMessages = z.object({
  messages: z.array(FoundMessage),
  /** Other forms of the words that stand in the excerpts, in small letters: «доставки» for «доставка». */
  forms: z.array(z.string()),
  /** `before` of the next page; null where there is nothing more. A page may be short, even empty, and others follow. */
  next: z.nullable(z.string()),
});
export type FoundMessages = z.infer<typeof FoundMessages>;

export const FOUND_MESSAGES_PAGE = 30;

const { status, platform, contacts, twinId, lead, assignee, label, day } = ConversationsQuery.shape;

/** The filters are those of the list of conversations. */
export const MessageSearchQuery = z.object({
  /** Words that a message must hold, each as a part of a word, in any order; case and the difference between «ё» and «е» are ignored. After these come messages that hold other forms of the words. */
  q: searchText(200, { missing: "Введите текст для поиска", long: "Запрос длиннее 200 символов" }).check(
    z.minLength(1, "Введите текст для поиска"),
  ),
  before: z.optional(z.string().check(z.regex(/^(?=.)f?(?:[1-9]\d{0,14})?$/, "Неверное место в списке"))),
  limit: z.optional(
    z.coerce.number().check(z.int("Неверное число"), z.gte(1, "Не меньше 1"), z.lte(50, "Не больше 50")),
  ),
  status,
  platform,
  contacts,
  twinId,
  lead,
  assignee,
  label,
  day,
});
export type MessageSearchQuery = z.infer<typeof MessageSearchQuery>;

export const messageSearchApi = {
  find: endpoint("GET /api/conversations/search", {
    access: "signed-in",
    tags: ["conversations", "conversation-list"],
    summary: `Сообщения диалогов, в которых есть слова, а за ними те, где эти слова стоят в другой форме, новые сверху, по ${FOUND_MESSAGES_PAGE}`,
    query: MessageSearchQuery,
    output: FoundMessages,
  }),
};
