/** Full-text search of conversations by parts of words and by grammatical forms. */
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
  /** Text around the first matching word, cut between words; «…» marks omitted text. */
  excerpt: z.string(),
  timestamp: z.string(),
});
export type FoundMessage = z.infer<typeof FoundMessage>;

export const FoundMessages = z.object({
  messages: z.array(FoundMessage),
  /** Other grammatical forms of the query's words that occur in the excerpts, in lower case: «доставки» for «доставка». */
  forms: z.array(z.string()),
  /** `before` of the next page; null on the last page. A page may be short or empty although others follow. */
  next: z.nullable(z.string()),
});
export type FoundMessages = z.infer<typeof FoundMessages>;

export const FOUND_MESSAGES_PAGE = 30;

const { status, platform, contacts, twinId, lead, assignee, label, day } = ConversationsQuery.shape;

export const MessageSearchQuery = z.object({
  /**
   * Words that a message must contain, each as a part of a word, in any order. Case is ignored, and «ё» equals «е».
   * Messages with other grammatical forms of the words follow these.
   */
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
