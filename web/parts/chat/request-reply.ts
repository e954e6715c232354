import * as z from "zod/mini";
import { conversationsApi, type GenerateInput, Reply, ReplyDelta } from "#contract/conversations/conversations.ts";
import { ProblemBody } from "#contract/problem.ts";
import { checkAnswer } from "#web/api/answer.ts";
import { send } from "#web/api/call.ts";
import { eventsOf } from "#web/api/read-events.ts";
import { takeAnswerSlot } from "./answer-slots.ts";

/** Lenient schema of an answer: its text, and its citations as far as the server sends them. */
const ReadReply = z.extend(z.partial(Reply), { response: z.string() });
export type ReadReply = z.infer<typeof ReadReply>;

const generate = { ...conversationsApi.generate, output: ReadReply };

/**
 * Requests an answer and reads the stream. `onText` receives the whole text so far with every delta, and the
 * conversation that stores a stopped answer. A server that does not stream answers at once. Throws `ApiError` when the call is rejected,
 * `Error` with the server's sentence when the stream fails or is cut off, and an `AbortError` after `signal`.
 */
export async function requestReply(
  input: GenerateInput,
  signal: AbortSignal,
  onText: (text: string, conversationId: string | undefined) => void,
): Promise<ReadReply> {
  const release = await takeAnswerSlot(signal);
  try {
    return await readReply(input, signal, onText);
  } finally {
    release();
  }
}

async function readReply(...[input, signal, onText]: Parameters<typeof requestReply>): Promise<ReadReply> {
  const response = await send(generate, { input, signal, headers: { accept: "text/event-stream" } });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return checkAnswer(generate, await response.json());
  }
  const conversationId = response.headers.get("x-conversation-id") ?? undefined;
  let text = "";
  for await (const { event, data } of eventsOf(response)) {
    if (event === "delta") {
      text += ReplyDelta.parse(JSON.parse(data)).text;
      onText(text, conversationId);
    } else if (event === "done") {
      return checkAnswer(generate, JSON.parse(data));
    } else if (event === "error") {
      throw new Error(ProblemBody.parse(JSON.parse(data)).message);
    }
  }
  signal.throwIfAborted();
  throw new Error("Ответ оборвался: соединение закрыто раньше времени");
}
