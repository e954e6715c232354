import * as z from "zod/mini";
import { ToolCall } from "../actions/tool-call.ts";
import { endpoint } from "../endpoint.ts";
import { searchText } from "../knowledge/search-text.ts";
import { MessageMedia } from "../media.ts";
import { ANSWERED } from "../tags.ts";
import { IdParams } from "../twins.ts";

export const Label = z.object({ id: z.string(), name: z.string() });
export type Label = z.infer<typeof Label>;

export const GenerateInput = z.object({
  twinId: z.uuid("Выберите цифрового двойника"),
  message: z
    .string("Введите сообщение")
    .check(z.trim(), z.minLength(1, "Введите сообщение"), z.maxLength(8000, "Сообщение длиннее 8 000 символов")),
  conversationId: z.optional(z.uuid("Неверный диалог")),
  /** Whether to answer the conversation's last question again; the transcript shows the question once. */
  again: z.optional(z.boolean("Повтор бывает только да или нет")),
  /** Whether tools that change data are really called; otherwise the answer only says what would be called. */
  live: z.optional(z.boolean("Ожидалось true или false")),
});
export type GenerateInput = z.infer<typeof GenerateInput>;

/**
 * Header of the answer: its conversation. As a header of a question without `conversationId` it names the new conversation, so that who
 * asks finds the question again when the answer is interrupted before its first word.
 */
export const CONVERSATION_HEADER = "x-conversation-id";
export const NewConversationId = z.optional(z.uuid("Неверный диалог"));

export const ReplySource = z.object({ documentId: z.string(), name: z.string(), text: z.string() });
export type ReplySource = z.infer<typeof ReplySource>;

/** A reply example that the answer is based on; `incoming` is null for readers who may not see it. */
const ReplyExample = z.object({ incoming: z.nullable(z.string()), reply: z.string() });

export const Reply = z.object({
  response: z.string(),
  sources: z.array(ReplySource),
  replyExamples: z.array(ReplyExample),
  /** How well the sources support the answer, 0..1. */
  confidence: z.number(),
  /**
   * `knowledge`: from documents; `recurring`: from the owner's replies; `corrected`: from a correction; `unknown`: the answer says
   * that the twin does not know.
   */
  basis: z.enum(["knowledge", "recurring", "smalltalk", "quoted", "unknown", "corrected"]),
  reason: z.string(),
  /** What a person must do, when an act is asked for rather than an answer; absent otherwise. */
  action: z.optional(z.string()),
  /** Whether each paragraph of the text is a message of its own; absent otherwise. */
  parted: z.optional(z.boolean()),
  /** What was called for this answer, or would have been; absent: nothing. */
  calls: z.optional(z.array(ToolCall)),
  /** Whether code worded it for a tool, so that no confidence is meant; absent otherwise. */
  scripted: z.optional(z.literal(true)),
  conversationId: z.string(),
  messageId: z.string(),
});
export type Reply = z.infer<typeof Reply>;

/**
 * Event of `POST /api/ai-generate` with `Accept: text/event-stream`. The stream sends any number of `delta` { text } events, then
 * `done` (a Reply) or `error` (a ProblemBody).
 */
export const ReplyDelta = z.object({ text: z.string() });

const FEEDBACK_TEXT_LIMIT = 4000;
const FeedbackText = z
  .string("Введите текст")
  .check(z.trim(), z.maxLength(FEEDBACK_TEXT_LIMIT, "Текст длиннее 4 000 символов"));

const RATING_REQUIRED = "Оценка — целое число от 1 до 5";

export const FeedbackInput = z
  .object({
    /** 1 (not at all like the owner) to 5 (exactly as the owner would answer); absent when an answer is only corrected. */
    rating: z.optional(z.int(RATING_REQUIRED).check(z.gte(1, RATING_REQUIRED), z.lte(5, RATING_REQUIRED))),
    comment: z.optional(FeedbackText),
    correction: z.optional(FeedbackText),
  })
  .check(
    z.refine(({ rating, correction }) => typeof rating === "number" || Boolean(correction), {
      error: RATING_REQUIRED,
      path: ["rating"],
    }),
  );
export type FeedbackInput = z.infer<typeof FeedbackInput>;

/** One member's feedback on one answer; new feedback replaces the old. */
export const Feedback = z.object({
  /** 1..5; null when the answer was corrected but not rated. */
  rating: z.nullable(z.number()),
  comment: z.nullable(z.string()),
  correction: z.nullable(z.string()),
});
export type Feedback = z.infer<typeof Feedback>;

export const ChatMessage = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  /** Present on an `assistant` message that the owner wrote instead of the twin. */
  author: z.optional(z.enum(["owner"])),
  content: z.string(),
  /** Present when the answer quotes the twin owner's private messages: other members read a placeholder sentence instead. */
  hidden: z.optional(z.literal(true)),
  timestamp: z.string(),
  sources: z.array(ReplySource),
  /** 0..1; null for questions. */
  confidence: z.nullable(z.number()),
  /** Kind of source that the answer is based on; absent for questions. */
  basis: z.optional(Reply.shape.basis),
  reason: z.optional(z.string()),
  action: Reply.shape.action,
  parted: Reply.shape.parted,
  calls: Reply.shape.calls,
  scripted: Reply.shape.scripted,
  /** Present only in the reader's own test chats, because the examples are the owner's private messages. */
  replyExamples: z.optional(z.array(ReplyExample)),
  /** Milliseconds from the question's arrival to the complete answer; null where it was not measured. */
  durationMs: z.nullable(z.number()),
  /** Whether the reader stopped the answer, so that its text is incomplete. */
  stopped: z.optional(z.boolean()),
  again: z.optional(z.boolean()),
  /** Present on the last question of a test chat while it has no answer: one is being made, or the server ended before its end. */
  answer: z.optional(z.enum(["coming", "interrupted"])),
  /** What a letter quotes or passes on, and its signature: neither is part of the message. */
  quoted: z.optional(z.string()),
  /** Stored recordings and pictures of this message; absent when there are none. */
  media: z.optional(z.array(MessageMedia)),
  feedback: z.nullable(Feedback),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

export const ConversationStatus = z.enum(["active", "closed"], "Неизвестный статус диалога");
export type ConversationStatus = z.infer<typeof ConversationStatus>;

export const Conversation = z.object({
  id: z.string(),
  twinId: z.string(),
  twinName: z.string(),
  participants: z.object({ name: z.string(), status: z.string() }),
  /** `test` is the owner's own chat with the twin. */
  platform: z.string(),
  lastMessage: z.nullable(z.string()),
  messageCount: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Who answers the contact, the twin or the owner; null in a test chat. */
  lead: z.nullable(z.enum(["twin", "me"])),
  /** End of the owner's takeover (ISO 8601); null while the twin answers. */
  pausedUntil: z.nullable(z.string()),
  unread: z.number(),
  assignee: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** When the snooze ends (ISO 8601). A past time means that the conversation returned and was not opened since. */
  snoozedUntil: z.nullable(z.string()),
  labels: z.array(Label),
  /** Excerpt around the search words in a message; null when only a name matches or there is no search. */
  match: z.nullable(z.string()),
  /** Cursor of this row: sent as `before`, it requests the rows after this one. */
  cursor: z.string(),
});
export type Conversation = z.infer<typeof Conversation>;

export const CONVERSATIONS_PAGE = 50;

export const ConversationsQuery = z.object({
  before: z.optional(
    z
      .string("Неверное место в списке")
      .check(
        z.regex(
          /^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z,[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
          "Неверное место в списке",
        ),
      ),
  ),
  /** Search words: parts of a contact's name, or all in one message (message-search.ts). Case is ignored, and «ё» equals «е». */
  q: z.optional(searchText(200, { missing: "Введите текст для поиска", long: "Запрос длиннее 200 символов" })),
  /** "1": `q` searches names only, for a screen that shows the matching messages beside the list. */
  named: z.optional(z.enum(["1"], "Неверный запрос")),
  status: z.optional(ConversationStatus),
  platform: z.optional(z.string("Неверная платформа").check(z.maxLength(20, "Неверная платформа"))),
  /** "1": excludes the members' own test chats. */
  contacts: z.optional(z.enum(["1"], "Неверный запрос")),
  twinId: z.optional(z.uuid("Неверный двойник")),
  /** The account that contacts write to; a twin may have several accounts on one platform. */
  integrationId: z.optional(z.uuid("Неверная интеграция")),
  /** `me`: conversations that the owner has taken over; `twin`: all others. */
  lead: z.optional(z.enum(["twin", "me"], "Неизвестно, кто ведёт диалог")),
  /** `me`: conversations assigned to the caller; `none`: contacts' conversations without an assignee. */
  assignee: z.optional(z.enum(["me", "none"], "Неизвестно, чьи диалоги")),
  /** "1": only snoozed conversations; when absent, only those that are not snoozed. */
  snoozed: z.optional(z.enum(["1"], "Неверный запрос")),
  label: z.optional(z.uuid("Неверная метка")),
  /** YYYY-MM-DD in Moscow time: conversations with a message on that day. */
  day: z.optional(z.iso.date("День — в виде ГГГГ-ММ-ДД")),
});
export type ConversationsQuery = z.infer<typeof ConversationsQuery>;

/** Totals over the contacts' conversations that the caller may read; while there are none, over the caller's test chats. */
export const ConversationTotals = z.object({
  conversations: z.number(),
  active: z.number(),
  messages: z.number(),
  unread: z.number(),
});
export type ConversationTotals = z.infer<typeof ConversationTotals>;

export const ConversationInput = z.object({ twinId: z.uuid("Выберите цифрового двойника") });
export type ConversationInput = z.infer<typeof ConversationInput>;

export const ConversationUpdate = z
  .object({
    status: z.optional(ConversationStatus),
    /** null removes the assignee. */
    assigneeId: z.optional(z.nullable(z.uuid("Выберите участника"))),
  })
  .check(z.refine((update) => Object.keys(update).length > 0, "Укажите, что изменить"));
export type ConversationUpdate = z.infer<typeof ConversationUpdate>;

export const TranscriptQuery = z.object({
  /** Id of a message to load with its surroundings; it may be older than the latest thousand. */
  around: z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/, "Неверный идентификатор"))),
});
export type TranscriptQuery = z.infer<typeof TranscriptQuery>;

const MessageParams = z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,14}$/, "Неверный идентификатор")) });

export const conversationsApi = {
  generate: endpoint("POST /api/ai-generate", {
    access: "editor",
    refreshes: ANSWERED,
    beforeConfirmation: true,
    summary: "Ответ двойника: JSON, или поток событий при Accept: text/event-stream",
    input: GenerateInput,
    output: Reply,
  }),
  list: endpoint("GET /api/conversations", {
    access: "signed-in",
    tags: ["conversations", "conversation-list"],
    summary: `Диалоги, новые сверху, по ${CONVERSATIONS_PAGE}; на первой странице перед ними те, что вернулись из отложенных`,
    query: ConversationsQuery,
    output: z.array(Conversation),
  }),
  totals: endpoint("GET /api/conversations/totals", {
    access: "signed-in",
    tags: ["conversations", "conversation-list"],
    summary: "Сколько диалогов и сообщений",
    output: ConversationTotals,
  }),
  create: endpoint("POST /api/conversations", {
    access: "editor",
    refreshes: ["conversations"],
    beforeConfirmation: true,
    summary: "Новый тестовый диалог; пустой, если он уже есть у этого двойника, отдаётся снова",
    status: 201,
    input: ConversationInput,
    output: Conversation,
  }),
  get: endpoint("GET /api/conversations/:id", {
    access: "signed-in",
    tags: ["conversations", "conversation"],
    summary: "Диалог",
    params: IdParams,
    output: Conversation,
  }),
  update: endpoint("PUT /api/conversations/:id", {
    access: "editor",
    refreshes: ["conversations"],
    beforeConfirmation: true,
    summary: "Закрыть диалог или открыть его снова, назначить ответственного",
    params: IdParams,
    input: ConversationUpdate,
    output: Conversation,
  }),
  remove: endpoint("DELETE /api/conversations/:id", {
    access: "editor",
    refreshes: ["conversations"],
    summary: "Удалить диалог с его сообщениями",
    params: IdParams,
  }),
  read: endpoint("POST /api/conversations/:id/read", {
    access: "editor",
    refreshes: ["conversations"],
    beforeConfirmation: true,
    summary: "Сообщения собеседника прочитаны",
    params: IdParams,
  }),
  assignees: endpoint("GET /api/conversations/assignees", {
    access: "signed-in",
    summary: "Участники организации, которым можно поручить диалог",
    output: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  messages: endpoint("GET /api/conversations/:id/messages", {
    access: "signed-in",
    tags: ["transcript"],
    summary: "Последняя тысяча сообщений диалога, или тысяча вокруг названного",
    params: IdParams,
    query: TranscriptQuery,
    output: z.array(ChatMessage),
  }),
  feedback: endpoint("POST /api/conversations/messages/:id/feedback", {
    access: "editor",
    refreshes: ["report", "transcript"],
    beforeConfirmation: true,
    summary: "Оценить ответ двойника; новая оценка заменяет прежнюю",
    params: MessageParams,
    input: FeedbackInput,
    output: Feedback,
  }),
};
