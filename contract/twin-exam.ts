/** The exam of a twin: questions from its own documents and letters, which its owner marks with yes or no. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import type { Currency } from "./models/remote-model-presets.ts";
import { IdParams } from "./twins.ts";

/** Questions of one exam: about five minutes of yes and no. */
export const TWIN_EXAM_QUESTIONS = 20;
/** Marks from which an exam can be ended early. */
export const LEAST_MARKS = 5;

export const TWIN_EXAM_MARKS = ["yes", "no", "none"] as const;
export type TwinExamMark = (typeof TWIN_EXAM_MARKS)[number];

export const TwinExamAnswer = z.object({
  id: z.string(),
  question: z.string(),
  /** letter: a contact of the owner has asked it. document: made from a document. usual: what customers ask most businesses. */
  from: z.enum(["letter", "document", "usual"]),
  /** The contact in whose name it is asked, without that letter; null: it is asked as by a stranger. */
  contactName: z.nullable(z.string()),
  /** What the owner answered that contact; null: nobody has asked him. */
  ownerReply: z.nullable(z.string()),
  /** Null: not answered yet. Empty: the model gave no answer. */
  reply: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** Why it would wait for the owner at the level «confident»; null: it would be sent. */
  heldFor: z.nullable(z.string()),
  accepted: z.nullable(z.boolean()),
});
export type TwinExamAnswer = z.infer<typeof TwinExamAnswer>;

export const TwinExamResult = z.object({
  /** Answers that the owner has marked, and those among them that he accepted. */
  marked: z.number(),
  accepted: z.number(),
  /** Those among the marked that go out without him at the level «confident» from now on, and those of them that he accepted. */
  sent: z.number(),
  sentAccepted: z.number(),
  at: z.string(),
});
export type TwinExamResult = z.infer<typeof TwinExamResult>;

export const TwinExam = z.object({
  /** What questions can be made from. Without either there is no exam. */
  material: z.object({ documents: z.number(), letters: z.number() }),
  /** What asking costs on the model of this twin; null: no model answers. Tokens and money are estimates; money is null where no price is known. */
  cost: z.nullable(
    z.object({
      calls: z.number(),
      tokens: z.number(),
      money: z.nullable(z.number()),
      currency: z.nullable(z.enum(["RUB", "USD"] satisfies Currency[])),
    }),
  ),
  /** The exam that is under way. */
  current: z.nullable(
    z.object({
      state: z.enum(["asking", "interrupted", "marking"]),
      asked: z.number(),
      of: z.number(),
      /** Code of the error that interrupted it. */
      failure: z.nullable(z.string()),
      answers: z.array(TwinExamAnswer),
    }),
  ),
  /** The last exam that was marked. */
  last: z.nullable(z.object({ result: TwinExamResult, answers: z.array(TwinExamAnswer) })),
  /** What has changed so much since then that another exam would tell more. */
  changed: z.array(z.enum(["model", "documents", "letters"])),
});
export type TwinExam = z.infer<typeof TwinExam>;

const change = { access: "editor", beforeConfirmation: true, refreshes: ["twin-exam"], output: TwinExam } as const;

export const twinExamApi = {
  get: endpoint("GET /api/digital-twins/:id/exam", {
    access: "signed-in",
    tags: ["twins", "twin-exam"],
    summary: "Экзамен двойника: вопросы, его ответы, ваши оценки и что он станет отправлять сам",
    params: IdParams,
    output: TwinExam,
  }),
  start: endpoint("POST /api/digital-twins/:id/exam", {
    ...change,
    summary: "Начать экзамен двойника или продолжить прерванный",
    params: IdParams,
  }),
  cancel: endpoint("DELETE /api/digital-twins/:id/exam", {
    ...change,
    summary: "Отменить экзамен, который идёт: прежний результат остаётся",
    params: IdParams,
  }),
  mark: endpoint("PUT /api/digital-twins/:id/exam/answers/:answerId", {
    ...change,
    summary: "Сказать, отправили бы вы этот ответ, или снять оценку",
    params: z.extend(IdParams, {
      answerId: z.string("Неверный ответ").check(z.regex(/^[1-9]\d{0,14}$/, "Неверный ответ")),
    }),
    /** none: the mark is taken back. */
    input: z.object({ mark: z.enum(TWIN_EXAM_MARKS, "Ожидалось да или нет") }),
  }),
  finish: endpoint("POST /api/digital-twins/:id/exam/finish", {
    ...change,
    summary: `Закончить экзамен на оценённых ответах, их не меньше ${LEAST_MARKS}`,
    params: IdParams,
  }),
};
