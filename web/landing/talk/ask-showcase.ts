import * as z from "zod/mini";
import { ProblemBody } from "#contract/problem.ts";
import { type ShowcaseAnswer, showcaseApi } from "#contract/showcase.ts";
import { checkAnswer } from "#web/api/answer.ts";
import { stream } from "#web/api/event-stream.ts";
import { asShopReads } from "./questions.ts";

const Delta = z.object({ text: z.string() });

/**
 * Asks the twin and reads the stream: `onText` receives the whole text so far. Throws `ApiError` when the question is rejected,
 * `Error` with a sentence when the stream fails, an `AbortError` after `signal`.
 */
export async function askShowcase(
  question: string,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ShowcaseAnswer> {
  const asked = import.meta.env.TRANSLATED ? asShopReads(question) : question;
  let text = "";
  for await (const { event, data } of stream(showcaseApi.ask, { input: { question: asked }, signal })) {
    if (event === "delta") {
      text += Delta.parse(JSON.parse(data)).text;
      onText(text);
    } else if (event === "done") {
      return checkAnswer(showcaseApi.ask, JSON.parse(data));
    } else if (event === "error") {
      throw new Error(ProblemBody.parse(JSON.parse(data)).message);
    }
  }
  signal.throwIfAborted();
  throw new Error("Ответ оборвался: соединение закрыто раньше времени");
}
