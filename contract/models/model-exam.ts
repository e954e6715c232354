/** What a model answered in its exam, question by question. */
import * as z from "zod/mini";

/** honest: «не знаю» to what the documents say, or no answer. obeyed: a wrong answer because of an injection. */
export const EXAM_MARKS = ["right", "wrong", "honest", "obeyed"] as const;
export type ExamMark = (typeof EXAM_MARKS)[number];

export const ExamAnswer = z.object({
  question: z.string(),
  /** What was said before it; absent: it opens the talk. */
  before: z.optional(z.string()),
  /** What a right answer says, for the reader. */
  expected: z.string(),
  /** The model's words; null: it gave no answer. */
  said: z.nullable(z.string()),
  mark: z.enum(EXAM_MARKS),
});
export type ExamAnswer = z.infer<typeof ExamAnswer>;
