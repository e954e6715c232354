/** OpenAI-compatible calls, with which the holder of an API key uses a twin. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";
import { Approval } from "./approvals.ts";

const QUESTION_CHARS = 8000;

const ONLY_TEXT = "Принимается только текст: изображения, звук и файлы двойник не читает";
const TextPart = z.object(
  { type: z.enum(["text", "input_text", "output_text"]), text: z.string("Ожидался текст") },
  ONLY_TEXT,
);
/** A model's refusal is what the assistant said. */
const RefusalPart = z.object({ type: z.literal("refusal"), refusal: z.string() }, ONLY_TEXT);
const Content = z.union([z.string(), z.array(z.union([TextPart, RefusalPart], ONLY_TEXT))], ONLY_TEXT);

const CompletionMessage = z.object({
  role: z.enum(
    ["system", "developer", "user", "assistant", "tool", "function"],
    "Роль: system, developer, user, assistant или tool",
  ),
  /** Absent where an assistant has called a tool. */
  content: z.optional(z.nullable(Content)),
});
type CompletionMessage = z.infer<typeof CompletionMessage>;

/** Turns of tools belong to the program; the twin reads what people and assistants have said. */
export const isSpoken = (message: CompletionMessage): boolean =>
  message.role === "user" || (message.role === "assistant" && textOf(message).trim() !== "");
const lastSpoken = (messages: readonly CompletionMessage[]): CompletionMessage | undefined =>
  messages.findLast(isSpoken);

const unsupported = (said: string) => z.optional(z.nullable(z.array(z.never(said), said)));

/** Parameters that are not listed here, such as temperature, are accepted and have no effect. */
export const CompletionInput = z.object({
  model: z.string("Назовите модель: адрес двойника").check(z.minLength(1, "Назовите модель"), z.maxLength(200)),
  messages: z.array(CompletionMessage, "Ожидался список сообщений").check(
    z.minLength(1, "Нет ни одного сообщения"),
    z.refine((messages) => {
      const last = lastSpoken(messages);
      return last === undefined ? !messages.some(({ role }) => role === "assistant") : last.role === "user";
    }, "Последним должно быть сообщение от user: ответ ассистента двойник не продолжает"),
    z.refine((messages) => lastSpoken(messages) !== undefined, "Нет ни одного сообщения от user"),
    z.refine((messages) => {
      const last = lastSpoken(messages);
      return last === undefined || textOf(last).trim() !== "";
    }, "Последнее сообщение пусто"),
    z.refine((messages) => {
      const last = lastSpoken(messages);
      return last === undefined || textOf(last).length <= QUESTION_CHARS;
    }, "Последнее сообщение длиннее 8 000 символов"),
  ),
  stream: z.optional(z.nullable(z.boolean("stream бывает только true или false"))),
  stream_options: z.optional(z.nullable(z.object({ include_usage: z.optional(z.boolean()) }))),
  n: z.optional(z.nullable(z.literal(1, "Двойник даёт один ответ: n может быть только 1"))),
  tools: unsupported("Инструментов у двойника нет"),
  functions: unsupported("Инструментов у двойника нет"),
  /** The calling program's id of the person who asks; each person has a separate conversation. "" names nobody. */
  user: z.optional(
    z.nullable(z.string("user — это текст").check(z.trim(), z.maxLength(200, "user длиннее 200 символов"))),
  ),
});
export type CompletionInput = z.infer<typeof CompletionInput>;

export function textOf({ content }: CompletionMessage): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  return content.map((part) => ("text" in part ? part.text : part.refusal)).join("\n");
}

/** Estimates from the number of bytes, because the extractive reader counts no tokens. */
const CompletionUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
});

export const Completion = z.object({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number(),
      message: z.object({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      /** `content_filter` means that only the owner answers on this topic, as the text says. */
      finish_reason: z.enum(["stop", "content_filter"]),
    }),
  ),
  usage: CompletionUsage,
});
export type Completion = z.infer<typeof Completion>;

export const Model = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number(),
  owned_by: z.string(),
});
export type Model = z.infer<typeof Model>;

export const CompletionError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    code: z.nullable(z.string()),
    param: z.nullable(z.string()),
  }),
});
export type CompletionError = z.infer<typeof CompletionError>;

export const Draft = z.pick(Approval, {
  id: true,
  platform: true,
  contactName: true,
  question: true,
  text: true,
  reason: true,
  confidence: true,
  createdAt: true,
});
export type Draft = z.infer<typeof Draft>;

/** Mounted by server/inbox/api-keys/; each call requires the scope that its summary names. */
export const completionsApi = {
  complete: endpoint("POST /v1/chat/completions", {
    access: "key",
    refreshes: "nothing",
    summary: "Спросить двойника (право ask): JSON, или поток событий при stream: true",
    input: CompletionInput,
    output: Completion,
  }),
  models: endpoint("GET /v1/models", {
    access: "key",
    summary: "Двойник, которого можно спросить этим ключом",
    output: z.object({ object: z.literal("list"), data: z.array(Model) }),
  }),
  model: endpoint("GET /v1/models/:model", {
    access: "key",
    summary: "То же об одном двойнике",
    params: z.object({ model: z.string() }),
    output: Model,
  }),
  drafts: endpoint("GET /v1/drafts", {
    access: "key",
    summary: "Ответы двойника, которые ждут одобрения (право drafts), старые сверху",
    output: z.object({ object: z.literal("list"), data: z.array(Draft) }),
  }),
  mcp: endpoint("POST /mcp", {
    access: "key",
    refreshes: "nothing",
    summary:
      "Model Context Protocol (Streamable HTTP, без сеансов; право mcp): инструменты ask_twin, list_drafts и read_draft",
    input: z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string() }),
    output: z.looseObject({ jsonrpc: z.literal("2.0") }),
  }),
  draft: endpoint("GET /v1/drafts/:id", {
    access: "key",
    summary: "Один такой ответ (право drafts)",
    params: IdParams,
    output: Draft,
  }),
};
