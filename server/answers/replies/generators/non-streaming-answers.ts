/** Handles servers that ignore the streaming option, returning JSON or a failure with a success status, and those whose stream differs. */
import { contentText } from "#server/models/remote/content-text.ts";
import { isContentRefusal } from "#server/models/remote/provider-errors.ts";
import { uniformChunks, uniformEnvelope } from "./uniform-chunks.ts";

const MAX_BYTES = 2_000_000;

/** Returns a `fetch` that turns JSON answers to streaming requests into streams, and gives failures an error status. */
export function streamingFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const type = response.headers.get("content-type") ?? "";
    if (response.ok && response.body !== null && /^text\/event-stream/i.test(type)) {
      const { status, headers } = response;
      return new Response(response.body.pipeThrough(uniformChunks()), { status, headers });
    }
    if (!response.ok || !/^application\/(?:[\w.+-]{1,40}\+)?json/i.test(type)) return response;
    return restated(await readJson(response));
  };
}

interface Completion {
  error?: { code?: unknown; message?: unknown; type?: unknown } | string | null;
  choices?:
    | {
        message?: { content?: unknown; reasoning_content?: unknown; tool_calls?: unknown };
        finish_reason?: unknown;
      }[]
    | null;
  [key: string]: unknown;
}

async function readJson(response: Response): Promise<Completion | null> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_BYTES) return null;
  }
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null ? (read as Completion) : null;
  } catch {
    return null;
  }
}

function restated(answer: Completion | null): Response {
  if (answer?.error != null) {
    const { error } = answer;
    const code = typeof error === "object" ? Number(error.code) : Number.NaN;
    const status =
      Number.isInteger(code) && code >= 400 && code <= 599
        ? code
        : isOverflow(error) || isContentRefusal(error)
          ? 400
          : 502;
    return Response.json({ error }, { status });
  }
  const choice = answer?.choices?.[0];
  if (choice === undefined) return Response.json({ error: { message: "no completion" } }, { status: 502 });
  const { choices: _, ...envelope } = uniformEnvelope(answer!);
  const { content, reasoning_content } = choice.message ?? {};
  const delta = {
    role: "assistant",
    content: contentText(content) ?? "",
    ...(typeof reasoning_content === "string" ? { reasoning_content } : {}),
  };
  const part = (one: object) => `data: ${JSON.stringify({ ...envelope, object: "chat.completion.chunk", ...one })}\n\n`;
  const body = [
    part({ choices: [{ index: 0, delta, finish_reason: null }], usage: null }),
    part({ choices: [{ index: 0, delta: {}, finish_reason: choice.finish_reason ?? "stop" }] }),
    "data: [DONE]\n\n",
  ];
  return new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
}

const OVERFLOW =
  /context[_ ](?:length|window|size)|maximum context|too many tokens|prompt is too long|exceed\p{L}{0,3}[_ ]context|n_ctx/iu;

/** Whether an error's body says that the prompt exceeds the model's context. The body is not used for anything else. */
export function isOverflow(error: unknown): boolean {
  const text = typeof error === "string" ? error : JSON.stringify(error ?? "");
  return OVERFLOW.test(text.slice(0, 4000));
}

export function contextOf(body: string): number | null {
  const found =
    /"n_ctx"\s{0,2}:\s{0,2}(\d{3,8})|maximum context length is (\d{3,8})|max(?:imum)? (?:context )?length (?:of|is) (\d{3,8})/i.exec(
      body.slice(0, 4000),
    );
  const tokens = Number(found?.[1] ?? found?.[2] ?? found?.[3]);
  return tokens >= 512 ? tokens : null;
}
