import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

/** Messages that the owner is asked to answer; together they take him about three minutes. */
export const INVENTED_MESSAGES = 12;
export const LONGEST_SAMPLE = { incoming: 300, text: 700 } as const;

const id = z.string().check(z.regex(/^[1-9]\d{0,15}$/, "Неверный идентификатор"));

/** A text of the owner that shows a model how he writes to everybody. It answers nothing. */
export const StyleSample = z.object({
  id,
  /**
   * `common`: a past reply that holds only common words; `written`: the owner's answer to an invented message; `opened`: a reply that he
   * opened, with personal data masked.
   */
  origin: z.enum(["common", "written", "opened"]),
  /** The invented message; null for replies to real ones. */
  incoming: z.nullable(z.string()),
  /** A line break separates the messages of one burst. */
  text: z.string(),
  /** A `closed` sample is shown to no model. */
  state: z.enum(["open", "closed"]),
});
export type StyleSample = z.infer<typeof StyleSample>;

/** A past reply that the owner may open as a sample, with personal data masked. */
export const Phrase = z.object({
  pairId: id,
  text: z.string(),
  /** The message, with personal data masked, to which the phrase may be opened as an answer too; absent where it answers nothing alone. */
  question: z.optional(z.string()),
});
export type Phrase = z.infer<typeof Phrase>;

/** «Эти фразы увидят все»: so many are proposed at once. */
export const PHRASES_SHOWN = 20;

export const StyleSamples = z.object({
  /** Open ones first, the newest first. */
  samples: z.array(StyleSample),
  /** Invented messages that the owner has not answered yet. */
  messages: z.array(z.string()),
  /** Past replies that show most of his manner and are no samples yet, of different occasions first. Absent where an older release answers. */
  phrases: z.optional(z.array(Phrase)),
});
export type StyleSamples = z.infer<typeof StyleSamples>;

const text = (most: number, missing: string) =>
  z.string("Ожидалась строка").check(z.trim(), z.minLength(1, missing), z.maxLength(most, `Не длиннее ${most} знаков`));

export const WrittenSample = z.object({
  incoming: text(LONGEST_SAMPLE.incoming, "Нет сообщения, на которое вы отвечаете"),
  text: text(LONGEST_SAMPLE.text, "Напишите, как бы вы ответили"),
});
export type WrittenSample = z.infer<typeof WrittenSample>;

const SampleParams = z.extend(IdParams, { sampleId: id });

export const styleSamplesApi = {
  list: endpoint("GET /api/digital-twins/:id/style-samples", {
    access: "signed-in",
    tags: ["twins", "style-samples"],
    summary: "Образцы манеры владельца, которые модель видит в любом разговоре",
    params: IdParams,
    output: StyleSamples,
  }),
  write: endpoint("POST /api/digital-twins/:id/style-samples", {
    access: "editor",
    refreshes: ["style-samples"],
    summary: "Ответить на выдуманное сообщение так, как ответил бы владелец",
    params: IdParams,
    input: WrittenSample,
    output: StyleSample,
    status: 201,
  }),
  openAnswer: endpoint("POST /api/digital-twins/:id/style-samples/answers/:answerId", {
    access: "editor",
    refreshes: ["style-samples"],
    summary: "Открыть переписанный вами черновик как образец манеры; личное в нём скрывается",
    params: z.extend(IdParams, { answerId: z.uuid("Неверный идентификатор") }),
    output: StyleSample,
    status: 201,
  }),
  decide: endpoint("POST /api/digital-twins/:id/phrases/:pairId", {
    access: "editor",
    refreshes: ["style-samples"],
    summary: "Открыть прошлый ответ как образец манеры или больше его не предлагать",
    params: z.extend(IdParams, { pairId: id }),
    input: z.object({
      open: z.boolean("Ожидалось true или false"),
      /** The masked text as it was shown, so that nothing else is opened. */
      text: text(LONGEST_SAMPLE.text, "Нет текста"),
    }),
    /** null: it is not proposed again. */
    output: z.nullable(StyleSample),
  }),
  update: endpoint("PUT /api/digital-twins/:id/style-samples/:sampleId", {
    access: "editor",
    refreshes: ["style-samples"],
    summary: "Закрыть образец манеры или снова открыть",
    params: SampleParams,
    input: z.object({ open: z.boolean("Ожидалось true или false") }),
    output: StyleSample,
  }),
  remove: endpoint("DELETE /api/digital-twins/:id/style-samples/:sampleId", {
    access: "editor",
    refreshes: ["style-samples"],
    summary: "Удалить свой образец: ответ на выдуманное сообщение или открытую фразу",
    params: SampleParams,
  }),
};
