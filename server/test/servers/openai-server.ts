/** A local OpenAI-compatible server for tests and benchmarks; run directly it prints its base URL. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { answer, startProvider } from "./provider-server.ts";

/** How the next request is answered; `text` defaults to the server's. */
export type ModelBehaviour =
  | { kind: "ok"; text?: string; finishReason?: string; delayMs?: number; heldUntil?: Promise<unknown> }
  | { kind: "reasoning"; thought: string; text?: string }
  /** The answer is JSON, although a stream was asked for. */
  | { kind: "whole"; text?: string; finishReason?: string }
  /** The answer is an error with the status of a success. */
  | { kind: "error-inside"; error: object | string }
  /** The answer calls a tool and has no text. */
  | { kind: "tool-call" }
  | { kind: "rate-limited"; retryAfter?: number | string }
  | { kind: "error"; status: number; body?: string }
  | { kind: "hang" }
  /** Headers and some words are sent, then nothing more. */
  | { kind: "stall"; after: number; text?: string }
  /** The connection is reset after this many words. */
  | { kind: "cut"; after: number }
  /** The body ends properly after this many words, but without a finish reason or [DONE]. */
  | { kind: "ends-early"; after: number }
  | { kind: "malformed" }
  /** A stream in the forms of compatible servers: whole messages, times as texts, content in parts, an ending without choices. */
  | { kind: "dialect"; of: "message" | "parts" | "null-choices" | "repeated" | "text-time" }
  | { kind: "error-chunk"; message: string }
  | { kind: "redirect"; to: string };

export interface ModelRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: { model?: string; stream?: boolean; messages?: { role: string; content: string }[]; [key: string]: unknown };
}

export interface OpenAiServer {
  /** The base URL, which ends with /v1. */
  baseUrl: string;
  /** The requests in the order in which they came. */
  requests: ModelRequest[];
  /** Connections that the client dropped before the answer's end. */
  dropped: number;
  /** Behaviours for the next requests, one each; later requests are answered `ok`. */
  script(...behaviours: ModelBehaviour[]): void;
  close(): Promise<void>;
}

/** The usage that a stream reports at its end, when it was asked for. */
interface ModelUsage {
  prompt_tokens: number;
  completion_tokens: number;
}

/** @param options.text the text of every answer without a script, or a function of the request */
export async function startOpenAiServer(
  options: { text?: string | ((request: ModelRequest) => string); port?: number; usage?: ModelUsage } = {},
): Promise<OpenAiServer> {
  const queue: ModelBehaviour[] = [];
  const provider = await startProvider(async ({ method, path, headers, body: sent }, response) => {
    response.on("close", () => {
      if (!response.writableFinished) started.dropped++;
    });
    if (!path.endsWith("/chat/completions") || method !== "POST") {
      answer(response, 404, { error: { message: "unknown path" } });
      return;
    }
    const body = JSON.parse(sent) as ModelRequest["body"];
    const received = { url: path, headers, body };
    started.requests.push(received);
    const text = typeof options.text === "function" ? options.text(received) : (options.text ?? "Да, все готово.");
    const usage = options.usage ?? { prompt_tokens: 0, completion_tokens: 0 };
    await behave(response, queue.shift() ?? { kind: "ok" }, text, body, usage);
  }, options.port);
  const started: OpenAiServer = {
    baseUrl: `${provider.root}/v1`,
    requests: [],
    dropped: 0,
    script: (...behaviours) => queue.push(...behaviours),
    close: provider.close,
  };
  return started;
}

async function behave(
  response: ServerResponse,
  behaviour: ModelBehaviour,
  text: string,
  body: ModelRequest["body"],
  usage: ModelUsage,
): Promise<void> {
  switch (behaviour.kind) {
    case "hang":
      return;
    case "rate-limited":
      answer(
        response,
        429,
        { error: { message: "slow down", type: "rate_limit" } },
        behaviour.retryAfter === undefined ? {} : { "retry-after": String(behaviour.retryAfter) },
      );
      return;
    case "error":
      response.writeHead(behaviour.status, { "content-type": "application/json" });
      response.end(behaviour.body ?? JSON.stringify({ error: { message: "broken" } }));
      return;
    case "redirect":
      response.writeHead(307, { location: behaviour.to });
      response.end();
      return;
    default:
  }
  if (behaviour.kind === "ok" && behaviour.delayMs)
    await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
  if (behaviour.kind === "ok") await behaviour.heldUntil;
  const said = "text" in behaviour && behaviour.text !== undefined ? behaviour.text : text;
  const finish = "finishReason" in behaviour ? (behaviour.finishReason ?? "stop") : "stop";
  if (behaviour.kind === "error-inside") {
    answer(response, 200, { error: behaviour.error });
    return;
  }
  if (body.stream !== true || behaviour.kind === "whole") {
    answer(response, 200, {
      ...envelope(body, "chat.completion"),
      choices: [{ index: 0, message: { role: "assistant", content: said }, finish_reason: finish }],
    });
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  stream(response, behaviour, said, finish, body, usage);
}

function stream(
  response: ServerResponse,
  behaviour: ModelBehaviour,
  text: string,
  finish: string,
  body: ModelRequest["body"],
  usage: ModelUsage,
): void {
  const chunk = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ ...envelope(body, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const words = (text.match(/\S+\s*/g) ?? []).map((word) => chunk({ content: word }));
  const asked = (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
  const cost = { ...envelope(body, "chat.completion.chunk"), choices: [], usage };
  const ending = `${chunk({}, finish)}${asked ? `data: ${JSON.stringify(cost)}\n\n` : ""}data: [DONE]\n\n`;
  switch (behaviour.kind) {
    case "cut":
      response.write(words.slice(0, behaviour.after).join(""), () => response.destroy());
      return;
    case "stall":
      response.write(words.slice(0, behaviour.after).join(""));
      return;
    case "ends-early":
      response.end(words.slice(0, behaviour.after).join(""));
      return;
    case "dialect": {
      const odd = (choices: unknown, more: object = {}) =>
        `data: ${JSON.stringify({ ...envelope(body, "chat.completion.chunk"), choices, ...more })}\n\n`;
      const said = { role: "assistant", content: text };
      const forms = {
        message:
          odd([{ message: said, finish_reason: null }]) + odd([{ message: { content: "" }, finish_reason: finish }]),
        parts: odd([{ index: 0, delta: { content: [{ type: "text", text }] }, finish_reason: finish }]),
        "null-choices": chunk({ content: text }) + chunk({}, finish) + odd(null, { usage }),
        repeated: chunk({ content: text }) + odd([{ index: 0, message: said, finish_reason: finish }]),
        "text-time": odd([{ index: 0, delta: said, finish_reason: finish }], { created: "2026-11-30T10:00:00Z" }),
      };
      response.end(`${forms[behaviour.of]}data: [DONE]\n\n`);
      return;
    }
    case "malformed":
      response.end(`${words[0] ?? ""}data: {"choices": [ oops\n\n${ending}`);
      return;
    case "error-chunk":
      response.end(
        `data: ${JSON.stringify({ error: { message: behaviour.message, type: "server_error" } })}\n\ndata: [DONE]\n\n`,
      );
      return;
    case "tool-call":
      response.end(`${chunk({ tool_calls: [TOOL_CALL] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`);
      return;
    case "reasoning":
      response.end(chunk({ reasoning_content: behaviour.thought }) + words.join("") + ending);
      return;
    default:
      response.end(chunk({ role: "assistant" }) + words.join("") + ending);
  }
}

const TOOL_CALL = { index: 0, id: "call_1", type: "function", function: { name: "search", arguments: "{}" } };

const envelope = (body: ModelRequest["body"], object: string) => ({
  id: "chatcmpl-1",
  object,
  created: 1_700_000_000,
  model: body.model ?? "model",
});

if (import.meta.main) {
  const { baseUrl } = await startOpenAiServer({ port: Number(process.argv[2] ?? 0), text: process.argv[3] });
  process.stdout.write(`${baseUrl}\n`);
}
