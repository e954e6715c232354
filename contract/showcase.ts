import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

export const SHOWCASE_QUESTION_LIMIT = 300;

const ShowcaseQuestion = z.object({
  question: z
    .string("Напишите вопрос")
    .check(
      z.trim(),
      z.minLength(1, "Напишите вопрос"),
      z.maxLength(SHOWCASE_QUESTION_LIMIT, `Слишком длинный вопрос: максимум ${SHOWCASE_QUESTION_LIMIT} символов`),
    ),
});

/** Excerpt of the document in parts, which together form its text. */
const ShowcaseSource = z.object({
  name: z.string(),
  parts: z.array(z.object({ text: z.string(), cited: z.boolean() })),
});

export const ShowcaseAnswer = z.object({
  answer: z.string(),
  /** false when the twin has answered that it does not know. */
  known: z.boolean(),
  source: z.nullable(ShowcaseSource),
});
export type ShowcaseAnswer = z.infer<typeof ShowcaseAnswer>;

/** The twin of an invented shop on the landing page, which any visitor may ask. */
export const showcaseApi = {
  ask: endpoint("POST /api/showcase/ask", {
    access: "public",
    refreshes: "nothing",
    summary: "Вопрос двойнику на главной странице; ничего не сохраняется. С `Accept: text/event-stream` — потоком",
    input: ShowcaseQuestion,
    output: ShowcaseAnswer,
  }),
};
