import * as z from "zod/mini";
import {
  CONVERSATION_HEADER,
  conversationsApi,
  type GenerateInput,
  Reply,
  ReplyDelta,
} from "#contract/conversations/conversations.ts";
import { ProblemBody } from "#contract/problem.ts";
import { checkAnswer } from "#web/api/answer.ts";
import { send } from "#web/api/call.ts";
import { eventsOf } from "#web/api/read-events.ts";
import { takeAnswerSlot } from "./answer-slots.ts";

/** Lenient schema of an answer: its text, and its citations as far as the server sends them. */
const ReadReply = z.extend(z.partial(Reply), { response: z.string() });
export type ReadReply = z.infer<typeof ReadReply>;

/** The connection broke before the answer's end, as when the server restarts. It keeps the question. */
export class AnswerCut extends Error {
  constructor() {
    super("Ответ прервался");
  }
}

const generate = { ...conversationsApi.generate, output: ReadReply };

/**
 * Requests an answer and reads the stream. `onText` receives the whole text so far, first "" and then with every delta, and the
 * conversation that stores a stopped answer; `newId` names it before. A server that does not stream answers at once. Throws `ApiError` when the call is rejected,
 * `Error` with the server's sentence when the stream fails, `AnswerCut` when it is cut off, and an `AbortError` after `signal`.
 */
export async function requestReply(
  input: GenerateInput,
  signal: AbortSignal,
  onText: (text: string, conversationId: string | undefined) => void,
  newId?: string,
): Promise<ReadReply> {
  const release = await takeAnswerSlot(signal);
  try {
    return await readReply(input, signal, onText, newId);
  } finally {
    release();
  }
}

async function readReply(...[input, signal, onText, newId]: Parameters<typeof requestReply>): Promise<ReadReply> {
  const headers = { accept: "text/event-stream", ...(newId !== undefined && { [CONVERSATION_HEADER]: newId }) };
  const response = await send(generate, { input, signal, headers });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return checkAnswer(generate, await response.json());
  }
  const conversationId = response.headers.get(CONVERSATION_HEADER) ?? undefined;
  let text = "";
  onText(text, conversationId);
  const events = eventsOf(response)[Symbol.asyncIterator]();
  for (;;) {
    const next = await events.next().catch(() => null);
    signal.throwIfAborted();
    if (next === null || next.done) throw new AnswerCut();
    const { event, data } = next.value;
    if (event === "delta") {
      text += ReplyDelta.parse(JSON.parse(data)).text;
      onText(text, conversationId);
    } else if (event === "done") {
      return checkAnswer(generate, JSON.parse(data));
    } else if (event === "error") {
      const { code, message } = ProblemBody.parse(JSON.parse(data));
      throw code === "stopping" ? new AnswerCut() : new Error(message);
    }
  }
}
