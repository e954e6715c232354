/** «Пробелы»: questions that a twin could not answer, which its owner answers once: for the askers, or for all contacts. */
import * as z from "zod/mini";
import { ReplySource } from "./conversations/conversations.ts";
import { CorrectionScope } from "./correction-scope.ts";
import { endpoint } from "./endpoint.ts";
import { LONGEST_FACT } from "./knowledge/chat-facts.ts";
import { IdParams } from "./twins.ts";

const questionId = z.string("Неверный вопрос").check(z.regex(/^[1-9]\d{0,14}$/, "Неверный вопрос"));

export const GapState = z.enum(["open", "answered", "ignored"], "Неверный список");
export type GapState = z.infer<typeof GapState>;

/** Gaps of one list that are shown, those that most people asked first. */
export const GAPS_SHOWN = 50;
/** Questions of one gap that are shown, the newest. */
export const GAP_QUESTIONS_SHOWN = 20;
/** Other gaps that are offered beside one, in case they ask the same. */
export const NEAR_GAPS = 5;
/** Distinct questions below which a share would say nothing. */
export const READINESS_FROM = 10;
/** Days whose questions the readiness is made of. */
export const READINESS_DAYS = 30;

/** One message that was left without an answer. */
export const GapQuestion = z.object({
  id: questionId,
  /** As it was asked. */
  text: z.string(),
  conversationId: z.string(),
  /** The message that asked it. */
  messageId: z.string(),
  /** `test`: the owner's test chat. */
  platform: z.string(),
  contactName: z.string(),
  askedAt: z.string(),
  /** Whether the twin answers it now; null: it was not asked again. */
  answered: z.nullable(z.boolean()),
  /** The delivery of the answer to the asker; null: not sent yet. */
  told: z.nullable(z.enum(["sent", "draft", "by_hand", "own_chat", "unreachable"])),
});
export type GapQuestion = z.infer<typeof GapQuestion>;

export const Gap = z.object({
  id: z.string(),
  state: GapState,
  /** The question that stands for all, with personal data masked. */
  question: z.string(),
  /** How many different people asked, without the owner in his test chats, and how often it was asked. */
  people: z.number(),
  times: z.number(),
  lastAskedAt: z.string(),
  /** The newest, at most GAP_QUESTIONS_SHOWN. */
  questions: z.array(GapQuestion),
  /** What the owner has answered one of those who asked by hand, with personal data masked; not used until he confirms it. */
  proposal: z.nullable(z.object({ text: z.string(), repliedAt: z.string(), conversationId: z.string() })),
  /** The answer in force, given to the askers or to all contacts; null: there is none, or the twin knows it from elsewhere. */
  answer: z.nullable(z.object({ question: z.string(), text: z.string(), scope: CorrectionScope })),
  answeredBy: z.nullable(z.enum(["owner", "knowledge"])),
  ignoredAs: z.nullable(z.enum(["not_question", "no_answer"])),
  /** What stood nearest to it in the documents when it was asked last, and was too little; null: nothing, or the gap is closed. */
  nearest: z.nullable(ReplySource),
  /** Open gaps that may ask the same in other words, the nearest first; none beside a closed one. */
  near: z.array(z.object({ id: z.string(), question: z.string() })),
});
export type Gap = z.infer<typeof Gap>;

/** How many of the different questions of the last READINESS_DAYS days the twin answers. */
export const Readiness = z.object({
  questions: z.number(),
  /** Those that it answered when they were asked. */
  atFirst: z.number(),
  /** Those that it answers now. */
  now: z.number(),
});
export type Readiness = z.infer<typeof Readiness>;

export const Gaps = z.object({
  readiness: Readiness,
  counts: z.object({ open: z.number(), answered: z.number(), ignored: z.number() }),
  gaps: z.array(Gap),
  /** Whether questions are being sorted, asked again or told about at the moment. */
  working: z.boolean(),
});
export type Gaps = z.infer<typeof Gaps>;

const words = (most: number, name: string) =>
  z
    .string("Ожидалась строка")
    .check(z.trim(), z.minLength(1, `Напишите ${name}`), z.maxLength(most, `Не длиннее ${most} знаков`));

export const GapDecision = z.discriminatedUnion(
  "decision",
  [
    z.object({
      decision: z.literal("answer"),
      question: words(LONGEST_FACT.question, "вопрос"),
      text: words(LONGEST_FACT.text, "ответ"),
      /** Who gets the answer: all contacts, or (absent too) only the askers. */
      scope: z.optional(CorrectionScope),
      /** Open gaps that this answers as well: their questions join this gap. */
      also: z.optional(
        z.array(z.uuid("Неверный идентификатор")).check(z.maxLength(NEAR_GAPS, "Слишком много вопросов сразу")),
      ),
    }),
    z.object({
      decision: z.literal("ignore"),
      as: z.enum(["not_question", "no_answer"], "Выберите, почему не отвечать"),
    }),
    /** Undoes an answer or an ignoring. What was sent stays sent. */
    z.object({ decision: z.literal("reopen") }),
  ],
  "Выберите, что сделать с вопросом",
);
export type GapDecision = z.infer<typeof GapDecision>;

const GapParams = z.extend(IdParams, { gapId: z.uuid("Неверный идентификатор") });
const change = { access: "editor", beforeConfirmation: true, params: GapParams } as const;

export const gapsApi = {
  list: endpoint("GET /api/digital-twins/:id/gaps", {
    access: "signed-in",
    tags: ["twins", "gaps"],
    summary: "Вопросы, на которые двойник не ответил, и сколько из недавних он знает теперь",
    params: IdParams,
    query: z.object({ state: z.optional(GapState) }),
    output: Gaps,
  }),
  count: endpoint("GET /api/digital-twins/:id/gaps/count", {
    access: "signed-in",
    tags: ["twins", "gaps"],
    summary: "Сколько вопросов ждёт ответа владельца",
    params: IdParams,
    output: z.object({ open: z.number() }),
  }),
  decide: endpoint("PUT /api/digital-twins/:id/gaps/:gapId", {
    ...change,
    refreshes: ["gaps", "corrections", "approvals", "conversations"],
    summary: "Ответить один раз тем, кто спросил, или всем, не отвечать или вернуть в список",
    input: GapDecision,
  }),
  split: endpoint("POST /api/digital-twins/:id/gaps/:gapId/split", {
    ...change,
    refreshes: ["gaps"],
    summary: "Отделить вопрос, который спрашивает о другом",
    input: z.object({ questionId }),
  }),
};
