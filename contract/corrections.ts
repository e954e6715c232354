/** Corrections, from which a twin learns, and test cases made from them, which are replayed after each training. */
import * as z from "zod/mini";
import { CorrectionScope } from "./correction-scope.ts";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

const sentence = (message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), z.maxLength(4000, "Текст длиннее 4 000 символов"));
/** The mark that a message ends in; "" forbids all marks of the kind. */
const mark = () => z.string().check(z.maxLength(16, "Слишком длинный знак"));

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

/** Returns the rule in Russian words, for the owner and for a model's prompt. */
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

/** `fact`: the answer becomes knowledge; `style`: rules for writing habits; `example`: an example reply to this question. */
export const CorrectionKind = z.enum(["fact", "style", "example"], "Выберите, чему научить двойника");
export type CorrectionKind = z.infer<typeof CorrectionKind>;

/** What was corrected: an answer in a conversation, an edited draft, or a reply in a fidelity measurement. */
export const CorrectedAnswer = z.object({
  kind: z.enum(["message", "feedback", "example"]),
  id: z.string("Неверный ответ").check(z.regex(/^[1-9]\d{0,14}$/, "Неверный ответ")),
});
export type CorrectedAnswer = z.infer<typeof CorrectedAnswer>;

export const ProposalInput = z.object({ from: CorrectedAnswer, correction: sentence("Напишите, как ответили бы вы") });
export type ProposalInput = z.infer<typeof ProposalInput>;

export const Proposal = z.object({
  suggested: CorrectionKind,
  question: z.string(),
  twinReply: z.string(),
  text: z.string(),
  /** Habits in which the owner's text differs from the twin's. */
  rules: z.array(StyleRule),
  /** The contact of the conversation; null in the owner's test chat. */
  contactName: z.nullable(z.string()),
  /** Default scope of each kind: the contact, wherever there is one. */
  scopes: z.object({ fact: CorrectionScope, style: CorrectionScope, example: CorrectionScope }),
  /** How many people have asked the same, the only reason to publish it. 0 means none or unknown. */
  people: z.number(),
  /** Why the correction cannot be published, as a sentence. null means no known obstacle, which does not make the text public. */
  personal: z.nullable(z.string()),
});
export type Proposal = z.infer<typeof Proposal>;

const MAX_REWORDINGS = 20;
const rewordings = z
  .array(sentence("Напишите вопрос"))
  .check(z.maxLength(MAX_REWORDINGS, "Слишком много других формулировок"));

const correctionFields = {
  kind: CorrectionKind,
  question: sentence("Напишите вопрос"),
  rewordings: z.optional(rewordings),
  text: sentence("Напишите ответ"),
  rules: z.array(StyleRule).check(z.maxLength(12, "Слишком много правил")),
  /** When absent, a new correction applies to the contact and a changed one keeps its scope. */
  scope: z.optional(CorrectionScope),
};
export const CorrectionInput = z.object({ from: CorrectedAnswer, ...correctionFields });
export type CorrectionInput = z.infer<typeof CorrectionInput>;

export const Correction = z.object({
  id: z.string(),
  kind: CorrectionKind,
  question: z.string(),
  rewordings: z.array(z.string()),
  twinReply: z.string(),
  text: z.string(),
  rules: z.array(StyleRule),
  scope: CorrectionScope,
  contactName: z.nullable(z.string()),
  active: z.boolean(),
  createdAt: z.string(),
  /** null when the test case is no longer replayed. `broken` means that it failed now but passed in the previous replay. */
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

/** Earlier questions and whether this correction would answer them, the most similar first, without duplicates. */
export const CorrectionPreview = z.object({
  caught: z.array(z.string()),
  missed: z.array(z.string()),
  byEmbedding: z.boolean(),
});
export type CorrectionPreview = z.infer<typeof CorrectionPreview>;

/** A text that the owner wrote in place of the twin's and that the twin has not learnt from yet. */
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
  corrections: z.array(Correction),
  waiting: z.array(WaitingCorrection),
  failedAt: z.optional(z.nullable(z.string())),
});
export type Corrections = z.infer<typeof Corrections>;

/** Switches a correction on or off, stops its replays, narrows its scope or replaces it. Absent fields stay unchanged. */
export const CorrectionUpdate = z
  .object({
    active: z.optional(z.boolean("Ожидалось true или false")),
    caseKept: z.optional(z.boolean("Ожидалось true или false")),
    /** Limits the correction to the contact in whose conversation it was made, also in earlier versions of the twin. */
    scope: z.optional(z.literal("contact", "Выберите, для кого это")),
    lesson: z.optional(z.object(correctionFields)),
  })
  .check(z.refine((update) => Object.values(update).some((value) => value !== undefined), "Нечего изменить"));
export type CorrectionUpdate = z.infer<typeof CorrectionUpdate>;

const CorrectionParams = z.extend(IdParams, { correctionId: z.uuid("Неверный идентификатор") });
const about = { access: "editor", beforeConfirmation: true, params: IdParams } as const;

export const correctionsApi = {
  list: endpoint("GET /api/digital-twins/:id/corrections", {
    access: "signed-in",
    tags: ["twins", "corrections"],
    summary: "Чему двойника научили исправления и что ещё ждёт решения",
    params: IdParams,
    output: Corrections,
  }),
  propose: endpoint("POST /api/digital-twins/:id/corrections/proposal", {
    ...about,
    refreshes: "nothing",
    summary: "Чему можно научить двойника исправлением ответа",
    input: ProposalInput,
    output: Proposal,
  }),
  preview: endpoint("POST /api/digital-twins/:id/corrections/preview", {
    ...about,
    refreshes: "nothing",
    summary: "Какие из прежних вопросов получат этот ответ, а какие нет",
    input: PreviewInput,
    output: CorrectionPreview,
  }),
  accept: endpoint("POST /api/digital-twins/:id/corrections", {
    ...about,
    refreshes: ["twins"],
    summary: "Научить: следующий же ответ это учтёт",
    input: CorrectionInput,
    output: Correction,
    status: 201,
  }),
  decline: endpoint("POST /api/digital-twins/:id/corrections/decline", {
    ...about,
    refreshes: ["twins"],
    summary: "Ничему не учить исправлением",
    input: z.object({ from: CorrectedAnswer }),
  }),
  replay: endpoint("POST /api/digital-twins/:id/corrections/replay", {
    ...about,
    refreshes: "nothing",
    summary: "Проверить, держится ли выученное",
    output: z.object({ queued: z.literal(true) }),
    status: 202,
  }),
  update: endpoint("PUT /api/digital-twins/:id/corrections/:correctionId", {
    access: "editor",
    refreshes: ["twins"],
    beforeConfirmation: true,
    summary: "Включить, выключить или изменить выученное",
    params: CorrectionParams,
    input: CorrectionUpdate,
    output: Correction,
  }),
  remove: endpoint("DELETE /api/digital-twins/:id/corrections/:correctionId", {
    access: "editor",
    refreshes: ["twins"],
    summary: "Забыть выученное; PUT с active возвращает его",
    params: CorrectionParams,
  }),
};
