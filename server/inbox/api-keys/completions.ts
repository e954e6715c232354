/** Converts questions and answers to the format of OpenAI's chat completions. */
import { randomUUID } from "node:crypto";
import type * as z from "zod/mini";
import {
  type Completion,
  type CompletionError,
  type CompletionInput,
  isSpoken,
  type Model,
  textOf,
} from "#contract/conversations/chat-completions.ts";
import { tokensOf } from "#server/accounts/twins/model-tokens.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { notFound, type Problem } from "#server/platform/errors.ts";
import type { KeyQuestion, KeyReplyEvent } from "./answer.ts";
import type { KeyCaller } from "./key-caller.ts";
import { isModel, modelName } from "./model-name.ts";

type Input = z.output<typeof CompletionInput>;

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export const modelOf = ({ twin }: KeyCaller): Model => ({
  id: modelName(twin),
  object: "model",
  created: seconds(twin.createdAt),
  owned_by: "digital-twins",
});

/** @throws Problem 404 for other twins than the key's */
export function requireModel({ twin }: KeyCaller, asked: string): void {
  if (!isModel(twin, asked)) throw notFound("Такой модели у этого ключа нет: см. GET /v1/models", "model_not_found");
}

/** Of a longer conversation the newest turns and characters are read, so that it never ends because of its length. */
const HISTORY_TURNS = 200;
const HISTORY_CHARS = 150_000;
const NOTES_CHARS = 50_000;

export function questionOf({ messages, user }: Input): KeyQuestion {
  const notes = messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(textOf)
    .filter((text) => text.trim() !== "")
    .join("\n\n")
    .slice(0, NOTES_CHARS);
  const turns = messages.filter(isSpoken).map((message): HistoryTurn => {
    const content = textOf(message);
    return message.role === "assistant" ? { role: "assistant", content, claimed: true } : { role: "user", content };
  });
  const text = turns.at(-1)!.content.trim();
  const history = latest(turns.slice(0, -1));
  return {
    text,
    history,
    ...(notes === "" ? {} : { notes }),
    tokens: tokensOf([notes, ...history.map(({ content }) => content), text].join("\n")),
    user: user || null,
  };
}

/** Leaves out the oldest turns. */
function latest(turns: readonly HistoryTurn[]): HistoryTurn[] {
  let left = HISTORY_CHARS;
  const kept: HistoryTurn[] = [];
  for (const turn of turns.slice(-HISTORY_TURNS).reverse()) {
    left -= turn.content.length;
    if (left < 0) break;
    kept.push(turn);
  }
  return kept.reverse();
}

const newId = () => `chatcmpl-${randomUUID().replaceAll("-", "")}`;
const usageOf = (prompt: number, completion: number): Completion["usage"] => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

type Finish = Completion["choices"][number]["finish_reason"];
const finishOf = ({ risk }: { risk: string | null }): Finish => (risk === null ? "stop" : "content_filter");

/** Returns the answer without streaming. */
export async function completion(
  caller: KeyCaller,
  prompt: number,
  events: AsyncIterable<KeyReplyEvent>,
): Promise<Completion> {
  for await (const event of events) {
    if (event.type !== "done") continue;
    return {
      id: newId(),
      object: "chat.completion",
      created: seconds(new Date()),
      model: modelName(caller.twin),
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: event.text, refusal: null },
          logprobs: null,
          finish_reason: finishOf(event),
        },
      ],
      usage: usageOf(prompt, event.tokens),
    };
  }
  throw new Error("A reply ended without its last event");
}

/**
 * Yields the lines of `stream: true`: chunks, the usage if it was requested, `[DONE]`. A later failure is an `error` line without `[DONE]`.
 * @param onError words the failure, or returns null when the client has disconnected
 */
export async function* completionStream(
  caller: KeyCaller,
  { tokens: prompt, includeUsage }: { tokens: number; includeUsage: boolean },
  events: AsyncIterable<KeyReplyEvent>,
  onError: (error: unknown) => CompletionError | null,
): AsyncGenerator<string> {
  const head = {
    id: newId(),
    object: "chat.completion.chunk",
    created: seconds(new Date()),
    model: modelName(caller.twin),
  };
  const part = (delta: object, finish: Finish | null = null) =>
    line({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage ? { usage: null } : {}),
    });
  yield part({ role: "assistant", content: "" });
  try {
    for await (const event of events) {
      if (event.type === "delta") yield part({ content: event.text });
      if (event.type !== "done") continue;
      yield part({}, finishOf(event));
      if (includeUsage) yield line({ ...head, choices: [], usage: usageOf(prompt, event.tokens) });
      yield "data: [DONE]\n\n";
    }
  } catch (error) {
    const told = onError(error);
    if (told !== null) yield line(told);
  }
}

const line = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const TYPES: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

/** Converts a refusal to OpenAI's error format; `param` is the invalid field. */
export function errorOf({ status, code, message, fields }: Problem): CompletionError {
  const quota = code === "insufficient_quota";
  return {
    error: {
      message,
      type: quota ? code : (TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error")),
      code: code === "too_many_requests" ? "rate_limit_exceeded" : code,
      param: Object.keys(fields ?? {})[0] || null,
    },
  };
}
