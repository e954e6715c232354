/** Gaps («Пробелы»): questions that a twin could not answer. The owner answers each once, for its askers or for all contacts. */
import * as z from "zod/mini";
import { ReplySource } from "./conversations/conversations.ts";
import { CorrectionScope } from "./correction-scope.ts";
import { endpoint } from "./endpoint.ts";
import { LONGEST_FACT } from "./knowledge/chat-facts.ts";
import { IdParams } from "./twins.ts";

const questionId = z.string("Неверный вопрос").check(z.regex(/^[1-9]\d{0,14}$/, "Неверный вопрос"));

export const GapState = z.enum(["open", "answered", "ignored"], "Неверный список");
export type GapState = z.infer<typeof GapState>;

/** Number of gaps shown in one list, those that most people asked first. */
export const GAPS_SHOWN = 50;
export const GAP_QUESTIONS_SHOWN = 20;
/** Number of similar gaps that are offered for merging with one. */
export const NEAR_GAPS = 5;
export const READINESS_FROM = 10;
export const READINESS_DAYS = 30;

export const GapQuestion = z.object({
  id: questionId,
  text: z.string(),
  conversationId: z.string(),
  messageId: z.string(),
  /** `test` is the owner's test chat. */
  platform: z.string(),
  contactName: z.string(),
  askedAt: z.string(),
  /** Whether the twin answers the question now; null when it was not asked again. */
  answered: z.nullable(z.boolean()),
  /** How the answer was delivered to the asker; null when it was not sent yet. */
  told: z.nullable(z.enum(["sent", "draft", "by_hand", "own_chat", "unreachable"])),
});
export type GapQuestion = z.infer<typeof GapQuestion>;

export const Gap = z.object({
  id: z.string(),
  state: GapState,
  /** The representative question of the gap, with personal data masked. */
  question: z.string(),
  /** `people`: how many different people asked, not counting the owner's test chats; `times`: how often it was asked. */
  people: z.number(),
  times: z.number(),
  lastAskedAt: z.string(),
  questions: z.array(GapQuestion),
  /** An answer that the owner gave one asker by hand, with personal data masked. It is not used until he confirms it. */
  proposal: z.nullable(z.object({ text: z.string(), repliedAt: z.string(), conversationId: z.string() })),
  /** The answer in force, for the askers or for all contacts. null when there is none or the twin knows it from another source. */
  answer: z.nullable(z.object({ question: z.string(), text: z.string(), scope: CorrectionScope })),
  answeredBy: z.nullable(z.enum(["owner", "knowledge"])),
  ignoredAs: z.nullable(z.enum(["not_question", "no_answer"])),
  /** The nearest passage of the documents when the question was last asked, too weak to answer it. null for none or a closed gap. */
  nearest: z.nullable(ReplySource),
  /** Open gaps that may ask the same in other words, the nearest first; empty for a closed gap. */
  near: z.array(z.object({ id: z.string(), question: z.string() })),
});
export type Gap = z.infer<typeof Gap>;

/** Readiness: the share of the different questions of the last READINESS_DAYS days that the twin can answer. */
export const Readiness = z.object({
  questions: z.number(),
  atFirst: z.number(),
  now: z.number(),
});
export type Readiness = z.infer<typeof Readiness>;

export const Gaps = z.object({
  readiness: Readiness,
  counts: z.object({ open: z.number(), answered: z.number(), ignored: z.number() }),
  gaps: z.array(Gap),
  /** Whether a background job is grouping questions, asking them again or sending answers. */
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
      /** Scope of the answer: all contacts or, also when absent, only the askers. */
      scope: z.optional(CorrectionScope),
      /** Ids of open gaps with the same answer; their questions join this gap. */
      also: z.optional(
        z.array(z.uuid("Неверный идентификатор")).check(z.maxLength(NEAR_GAPS, "Слишком много вопросов сразу")),
      ),
    }),
    z.object({
      decision: z.literal("ignore"),
      as: z.enum(["not_question", "no_answer"], "Выберите, почему не отвечать"),
    }),
    /** Undoes an answer or an ignored state. Answers that were sent stay sent. */
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
