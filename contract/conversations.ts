import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { searchText } from "./search-text.ts";
import { IdParams } from "./twins.ts";

export const GenerateInput = z.object({
  twinId: z.uuid("Выберите цифрового двойника"),
  message: z
    .string("Введите сообщение")
    .check(z.trim(), z.minLength(1, "Введите сообщение"), z.maxLength(8000, "Сообщение длиннее 8 000 символов")),
  conversationId: z.optional(z.uuid("Неверный диалог")),
  /** The conversation's last message is asked once more; readers of the transcript see it as one question. */
  again: z.optional(z.boolean("Повтор бывает только да или нет")),
});
export type GenerateInput = z.infer<typeof GenerateInput>;

export const ReplySource = z.object({ documentId: z.string(), name: z.string(), text: z.string() });
export type ReplySource = z.infer<typeof ReplySource>;

/** One of the owner's past replies that the answer leans on; `incoming` is null where this audience may not see it. */
export const ReplyExemplar = z.object({ incoming: z.nullable(z.string()), reply: z.string() });
export type ReplyExemplar = z.infer<typeof ReplyExemplar>;

export const Reply = z.object({
  response: z.string(),
  sources: z.array(ReplySource),
  exemplars: z.array(ReplyExemplar),
  /** 0..1 */
  confidence: z.number(),
  /**
   * knowledge: from documents; recurring: from the owner's replies; smalltalk; unknown: it says that it does not know;
   * corrected: as the owner has corrected such an answer.
   */
  basis: z.enum(["knowledge", "recurring", "smalltalk", "quoted", "unknown", "corrected"]),
  reason: z.string(),
  conversationId: z.string(),
  messageId: z.string(),
});
export type Reply = z.infer<typeof Reply>;

/**
 * Events of `POST /api/ai-generate` with `Accept: text/event-stream`: `delta` { text } any number of times, then
 * `done` (the Reply) or `error` (the ProblemBody).
 */
export const ReplyDelta = z.object({ text: z.string() });

const FEEDBACK_TEXT_LIMIT = 4000;
const FeedbackText = z
  .string("Введите текст")
  .check(z.trim(), z.maxLength(FEEDBACK_TEXT_LIMIT, "Текст длиннее 4 000 символов"));

const RATING_REQUIRED = "Оценка — целое число от 1 до 5";

export const FeedbackInput = z
  .object({
    /** 1 (not at all) .. 5 (just as the owner would have answered); absent: who corrects an answer has not rated it. */
    rating: z.optional(z.int(RATING_REQUIRED).check(z.gte(1, "Оценка не меньше 1"), z.lte(5, "Оценка не больше 5"))),
    comment: z.optional(FeedbackText),
    /** How the owner would have put it. */
    correction: z.optional(FeedbackText),
  })
  .check(
    z.refine(({ rating, correction }) => typeof rating === "number" || Boolean(correction), {
      error: RATING_REQUIRED,
      path: ["rating"],
    }),
  );
export type FeedbackInput = z.infer<typeof FeedbackInput>;

/** What one member thinks of one answer; a later opinion takes the place of the former. */
export const Feedback = z.object({
  /** 1..5; null: corrected, not rated. */
  rating: z.nullable(z.number()),
  comment: z.nullable(z.string()),
  correction: z.nullable(z.string()),
});
export type Feedback = z.infer<typeof Feedback>;

export const ChatMessage = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  /** Of an `assistant` line that the twin has not written. */
  author: z.optional(z.enum(["owner"])),
  content: z.string(),
  timestamp: z.string(),
  sources: z.array(ReplySource),
  /** 0..1; null for questions */
  confidence: z.nullable(z.number()),
  /** What an answer stands on, as it was told with the answer; absent for questions. */
  basis: z.optional(Reply.shape.basis),
  reason: z.optional(z.string()),
  /** In the reader's own test chats only. */
  exemplars: z.optional(z.array(ReplyExemplar)),
  /** From the question's arrival to the whole answer, ms; null where nobody measured. */
  durationMs: z.nullable(z.number()),
  /** The reader stopped the answer: the text is what had come. */
  stopped: z.optional(z.boolean()),
  /** The question before was asked once more. */
  again: z.optional(z.boolean()),
  /** The caller's own opinion. */
  feedback: z.nullable(Feedback),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

export const ConversationStatus = z.enum(["active", "closed"], "Неизвестный статус диалога");
export type ConversationStatus = z.infer<typeof ConversationStatus>;

export const Conversation = z.object({
  id: z.string(),
  twinId: z.string(),
  twinName: z.string(),
  /** `status` is a ConversationStatus. */
  participants: z.object({ name: z.string(), status: z.string() }),
  /** `test` is the owner's own chat with the twin. */
  platform: z.string(),
  lastMessage: z.nullable(z.string()),
  messageCount: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Who answers a contact; null in a test chat. */
  lead: z.nullable(z.enum(["twin", "me"])),
  /** The owner leads it until then, ISO; null: the twin does. */
  pausedUntil: z.nullable(z.string()),
  /** The contact's messages that nobody has answered or looked at. */
  unread: z.number(),
  /** The member who is to see to it. */
  assignee: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Where the search found its words in what was said: that place. */
  match: z.nullable(z.string()),
  /** Given back as `before` it names the rows behind this one. */
  cursor: z.string(),
});
export type Conversation = z.infer<typeof Conversation>;

export const CONVERSATIONS_PAGE = 50;

/** Filters of the list; each narrows it. */
export const ConversationsQuery = z.object({
  /** A row's `cursor`: what stands behind it, newest first. */
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
  /** Part of the participant's or the twin's name or of what was said, whatever its case. */
  q: z.optional(searchText(200, { missing: "Введите текст для поиска", long: "Запрос длиннее 200 символов" })),
  status: z.optional(ConversationStatus),
  platform: z.optional(z.string("Неверная платформа").check(z.maxLength(20, "Неверная платформа"))),
  twinId: z.optional(z.uuid("Неверный двойник")),
  /** Conversations that the owner leads himself, or all others. */
  lead: z.optional(z.enum(["twin", "me"], "Неизвестно, кто ведёт диалог")),
  /** The caller's own, or contacts' that nobody is to see to. */
  assignee: z.optional(z.enum(["me", "none"], "Неизвестно, чьи диалоги")),
});
export type ConversationsQuery = z.infer<typeof ConversationsQuery>;

/** Of everything that the caller may read. */
export const ConversationTotals = z.object({
  conversations: z.number(),
  active: z.number(),
  messages: z.number(),
  /** Conversations with messages that nobody has answered or looked at. */
  unread: z.number(),
});
export type ConversationTotals = z.infer<typeof ConversationTotals>;

export const ConversationInput = z.object({ twinId: z.uuid("Выберите цифрового двойника") });
export type ConversationInput = z.infer<typeof ConversationInput>;

/** Fields that the update does not carry stay as they are. */
export const ConversationUpdate = z
  .object({
    status: z.optional(ConversationStatus),
    /** null: nobody is to see to it. */
    assigneeId: z.optional(z.nullable(z.uuid("Выберите участника"))),
  })
  .check(z.refine((update) => Object.keys(update).length > 0, "Укажите, что изменить"));
export type ConversationUpdate = z.infer<typeof ConversationUpdate>;

const MessageParams = z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,14}$/, "Неверный идентификатор")) });

export const conversationsApi = {
  generate: endpoint("POST /api/ai-generate", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Ответ двойника: JSON, или поток событий при Accept: text/event-stream",
    input: GenerateInput,
    output: Reply,
  }),
  list: endpoint("GET /api/conversations", {
    access: "signed-in",
    summary: `Диалоги, новые сверху, по ${CONVERSATIONS_PAGE}`,
    query: ConversationsQuery,
    output: z.array(Conversation),
  }),
  totals: endpoint("GET /api/conversations/totals", {
    access: "signed-in",
    summary: "Сколько диалогов и сообщений",
    output: ConversationTotals,
  }),
  create: endpoint("POST /api/conversations", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Новый тестовый диалог; пустой, если он уже есть у этого двойника, отдаётся снова",
    status: 201,
    input: ConversationInput,
    output: Conversation,
  }),
  get: endpoint("GET /api/conversations/:id", {
    access: "signed-in",
    summary: "Диалог",
    params: IdParams,
    output: Conversation,
  }),
  update: endpoint("PUT /api/conversations/:id", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Закрыть диалог или открыть его снова, назначить ответственного",
    params: IdParams,
    input: ConversationUpdate,
    output: Conversation,
  }),
  remove: endpoint("DELETE /api/conversations/:id", {
    access: "editor",
    summary: "Удалить диалог с его сообщениями",
    params: IdParams,
  }),
  read: endpoint("POST /api/conversations/:id/read", {
    access: "editor",
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
    summary: "Сообщения диалога",
    params: IdParams,
    output: z.array(ChatMessage),
  }),
  feedback: endpoint("POST /api/conversations/messages/:id/feedback", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Оценить ответ двойника; новая оценка заменяет прежнюю",
    params: MessageParams,
    input: FeedbackInput,
    output: Feedback,
  }),
};
