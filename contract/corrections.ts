/** What a twin learns from its owner's corrections, and the cases that it is asked again after each training. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

const sentence = (message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), z.maxLength(4000, "Текст длиннее 4 000 символов"));
/** What stands at the end of a message; "" forbids all of its kind. */
const mark = () => z.string().check(z.maxLength(16, "Слишком длинный знак"));

/** One habit of writing, as the owner wants it. */
export const StyleRule = z.discriminatedUnion("habit", [
  z.object({ habit: z.literal("length"), sentences: z.int().check(z.gte(1), z.lte(9)) }),
  z.object({ habit: z.literal("address"), address: z.enum(["ты", "вы"]) }),
  z.object({ habit: z.literal("greeting"), keep: z.boolean() }),
  z.object({ habit: z.literal("fullStop"), keep: z.boolean() }),
  z.object({ habit: z.literal("lowerCase"), keep: z.boolean() }),
  z.object({ habit: z.literal("exclamation") }),
  z.object({ habit: z.literal("emoji"), mark: mark() }),
  z.object({ habit: z.literal("brackets"), mark: mark() }),
  z.object({
    habit: z.literal("phrase"),
    phrase: z.string().check(z.trim(), z.minLength(2, "Слишком короткое выражение"), z.maxLength(60)),
  }),
]);
export type StyleRule = z.infer<typeof StyleRule>;

/** The rule as the owner reads it, and a model. */
export function ruleInWords(rule: StyleRule): string {
  switch (rule.habit) {
    case "length":
      return rule.sentences === 1
        ? "Отвечать одним предложением"
        : `Отвечать короче: не больше ${rule.sentences} предложений`;
    case "address":
      return `Обращаться на «${rule.address}»`;
    case "greeting":
      return rule.keep ? "Начинать разговор с приветствия" : "Отвечать без приветствия";
    case "fullStop":
      return rule.keep ? "Ставить точку в конце" : "Не ставить точку в конце";
    case "lowerCase":
      return rule.keep ? "Начинать с маленькой буквы" : "Начинать с большой буквы";
    case "exclamation":
      return "Писать без восклицательных знаков";
    case "emoji":
      return rule.mark === "" ? "Писать без эмодзи" : `Добавлять в конце ${rule.mark}`;
    case "brackets":
      return rule.mark === "" ? "Писать без скобок-улыбок" : `Заканчивать на «${rule.mark}»`;
    case "phrase":
      return `Не говорить «${rule.phrase}»`;
  }
}

/** fact: question and answer become knowledge; style: habits of writing; exemplar: this answer to this question. */
export const LessonKind = z.enum(["fact", "style", "exemplar"], "Выберите, чему научить двойника");
export type LessonKind = z.infer<typeof LessonKind>;
/** Whether it holds in every talk or in those with one contact. */
export const LessonScope = z.enum(["everybody", "contact"], "Выберите, для кого это");
export type LessonScope = z.infer<typeof LessonScope>;

/** What was corrected: an answer in a talk, words that were sent in place of a draft, a reply of the measure of likeness. */
export const CorrectedAnswer = z.object({
  kind: z.enum(["message", "feedback", "example"]),
  id: z.string("Неверный ответ").check(z.regex(/^[1-9]\d{0,14}$/, "Неверный ответ")),
});
export type CorrectedAnswer = z.infer<typeof CorrectedAnswer>;

export const ProposalInput = z.object({ from: CorrectedAnswer, correction: sentence("Напишите, как ответили бы вы") });
export type ProposalInput = z.infer<typeof ProposalInput>;

/** What may be learnt of a correction. */
export const Proposal = z.object({
  suggested: LessonKind,
  question: z.string(),
  twinReply: z.string(),
  text: z.string(),
  /** In what the owner's words differ from the twin's; empty: in no habit. */
  rules: z.array(StyleRule),
  /** Whose talk it was; null: nobody's but the owner's own. */
  contactName: z.nullable(z.string()),
  scopes: z.object({ fact: LessonScope, style: LessonScope, exemplar: LessonScope }),
  /** Why nobody but that contact may be told it, in a sentence; null: anybody may. */
  personal: z.nullable(z.string()),
});
export type Proposal = z.infer<typeof Proposal>;

/** Other wordings that ask the same. */
const MOST_REWORDINGS = 20;
const rewordings = z
  .array(sentence("Напишите вопрос"))
  .check(z.maxLength(MOST_REWORDINGS, "Слишком много других формулировок"));

const lesson = {
  kind: LessonKind,
  question: sentence("Напишите вопрос"),
  /** Absent: none. */
  rewordings: z.optional(rewordings),
  text: sentence("Напишите ответ"),
  rules: z.array(StyleRule).check(z.maxLength(12, "Слишком много правил")),
  scope: LessonScope,
};
export const LessonInput = z.object({ from: CorrectedAnswer, ...lesson });
export type LessonInput = z.infer<typeof LessonInput>;

export const Correction = z.object({
  id: z.string(),
  kind: LessonKind,
  question: z.string(),
  rewordings: z.array(z.string()),
  twinReply: z.string(),
  text: z.string(),
  rules: z.array(StyleRule),
  scope: LessonScope,
  contactName: z.nullable(z.string()),
  active: z.boolean(),
  createdAt: z.string(),
  /** null: it is not replayed any more. `broken`: it held the time before. */
  case: z.nullable(
    z.object({
      state: z.enum(["unchecked", "passed", "broken", "failed"]),
      reply: z.nullable(z.string()),
      checkedAt: z.nullable(z.string()),
    }),
  ),
});
export type Correction = z.infer<typeof Correction>;

export const PreviewInput = z.object({ question: sentence("Напишите вопрос"), rewordings: z.optional(rewordings) });
export type PreviewInput = z.infer<typeof PreviewInput>;

/** What was asked before, and whether a correction of this question would answer it. Likest first, each question once. */
export const LessonPreview = z.object({
  /** It would be answered as corrected. */
  caught: z.array(z.string()),
  /** Near to it, and answered as until now. */
  missed: z.array(z.string()),
  /** Whether the meaning of the questions was compared, or their words alone. */
  byMeaning: z.boolean(),
});
export type LessonPreview = z.infer<typeof LessonPreview>;

/** Own words of the owner's of which nothing has been learnt yet. */
export const WaitingCorrection = z.object({
  from: CorrectedAnswer,
  question: z.string(),
  twinReply: z.string(),
  correction: z.string(),
  contactName: z.nullable(z.string()),
  createdAt: z.string(),
});
export type WaitingCorrection = z.infer<typeof WaitingCorrection>;

export const Corrections = z.object({
  /** Newest first. */
  corrections: z.array(Correction),
  waiting: z.array(WaitingCorrection),
});
export type Corrections = z.infer<typeof Corrections>;

/** Switched on or off, no longer replayed, or another lesson in its place. Absent fields stay as they are. */
export const CorrectionUpdate = z
  .object({
    active: z.optional(z.boolean("Ожидалось true или false")),
    caseKept: z.optional(z.boolean("Ожидалось true или false")),
    lesson: z.optional(z.object(lesson)),
  })
  .check(z.refine((update) => Object.values(update).some((value) => value !== undefined), "Нечего изменить"));
export type CorrectionUpdate = z.infer<typeof CorrectionUpdate>;

const CorrectionParams = z.extend(IdParams, { correctionId: z.uuid("Неверный идентификатор") });
const about = { access: "editor", beforeConfirmation: true, params: IdParams } as const;

export const correctionsApi = {
  list: endpoint("GET /api/digital-twins/:id/corrections", {
    access: "signed-in",
    summary: "Чему двойника научили исправления и что ещё ждёт решения",
    params: IdParams,
    output: Corrections,
  }),
  propose: endpoint("POST /api/digital-twins/:id/corrections/proposal", {
    ...about,
    summary: "Чему можно научить двойника исправлением ответа",
    input: ProposalInput,
    output: Proposal,
  }),
  preview: endpoint("POST /api/digital-twins/:id/corrections/preview", {
    ...about,
    summary: "Какие из прежних вопросов получат этот ответ, а какие нет",
    input: PreviewInput,
    output: LessonPreview,
  }),
  accept: endpoint("POST /api/digital-twins/:id/corrections", {
    ...about,
    summary: "Научить: следующий же ответ это учтёт",
    input: LessonInput,
    output: Correction,
    status: 201,
  }),
  decline: endpoint("POST /api/digital-twins/:id/corrections/decline", {
    ...about,
    summary: "Ничему не учить исправлением",
    input: z.object({ from: CorrectedAnswer }),
  }),
  replay: endpoint("POST /api/digital-twins/:id/corrections/replay", {
    ...about,
    summary: "Проверить, держится ли выученное",
    output: z.object({ queued: z.literal(true) }),
    status: 202,
  }),
  update: endpoint("PUT /api/digital-twins/:id/corrections/:correctionId", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Включить, выключить или изменить выученное",
    params: CorrectionParams,
    input: CorrectionUpdate,
    output: Correction,
  }),
  remove: endpoint("DELETE /api/digital-twins/:id/corrections/:correctionId", {
    access: "editor",
    summary: "Забыть выученное; PUT с active возвращает его",
    params: CorrectionParams,
  }),
};
