import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

export const GenerateInput = z.object({
  twinId: z.uuid("Выберите цифрового двойника"),
  message: z
    .string("Введите сообщение")
    .check(z.trim(), z.minLength(1, "Введите сообщение"), z.maxLength(8000, "Сообщение длиннее 8 000 символов")),
  conversationId: z.optional(z.uuid("Неверный диалог")),
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
  /** knowledge: from documents; recurring: from the owner's replies; smalltalk; unknown: it says that it does not know. */
  basis: z.enum(["knowledge", "recurring", "smalltalk", "unknown"]),
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

export const ChatMessage = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  timestamp: z.string(),
  sources: z.array(ReplySource),
  confidence: z.nullable(z.number()),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

export const Conversation = z.object({
  id: z.string(),
  twinId: z.string(),
  twinName: z.string(),
  participants: z.object({ name: z.string(), status: z.string() }),
  platform: z.string(),
  lastMessage: z.nullable(z.string()),
  messageCount: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Conversation = z.infer<typeof Conversation>;

export const conversationsApi = {
  generate: endpoint("POST /api/ai-generate", {
    access: "editor",
    summary: "Ответ двойника: JSON, или поток событий при Accept: text/event-stream",
    input: GenerateInput,
    output: Reply,
  }),
  list: endpoint("GET /api/conversations", {
    access: "signed-in",
    summary: "Диалоги",
    output: z.array(Conversation),
  }),
  messages: endpoint("GET /api/conversations/:id/messages", {
    access: "signed-in",
    summary: "Сообщения диалога",
    params: IdParams,
    output: z.array(ChatMessage),
  }),
};
