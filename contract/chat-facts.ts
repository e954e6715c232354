/** What the owner's own letters say of prices, hours, places and conditions, as he is asked about it. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

const id = z.string().check(z.regex(/^[1-9]\d{0,15}$/, "Неверный идентификатор"));

/** What stands in place of somebody's data. What holds one of these is told to nobody until the owner has put it in other words. */
export const MASKS = ["[имя]", "[телефон]", "[почта]", "[адрес]", "[номер]"] as const;
const MASK = /\[(?:имя|телефон|почта|адрес|номер)\]/;

export const maskIn = (text: string): string | null => MASK.exec(text)?.[0] ?? null;

/** A text cut so that every second piece is a mask. */
export const splitAtMasks = (text: string): string[] => text.split(/(\[(?:имя|телефон|почта|адрес|номер)\])/);

/** One answer that the owner gave, in his own words, personal data masked. */
export const FactVariant = z.object({
  id,
  reply: z.string(),
  /** How often he wrote it, to how many people, and when last. */
  times: z.number(),
  people: z.number(),
  saidAt: z.string(),
});
export type FactVariant = z.infer<typeof FactVariant>;

export const ChatFact = z.object({
  question: z.string(),
  /** The newest first; those after it say otherwise. */
  variants: z.array(FactVariant).check(z.minLength(1)),
  /** What the twin answers already, as he has confirmed it; the letters say otherwise since. */
  current: z.nullable(z.string()),
});
export type ChatFact = z.infer<typeof ChatFact>;

export const ChatFacts = z.object({
  counts: z.object({
    /** Things that were found, whatever became of them. */
    total: z.number(),
    /** That are to be decided on. */
    left: z.number(),
  }),
  /** Of these the most often said first, FACTS_SHOWN at most. */
  facts: z.array(ChatFact),
  /** The letters are being searched. */
  looking: z.boolean(),
});
export type ChatFacts = z.infer<typeof ChatFacts>;

export const FACTS_SHOWN = 50;
export const LONGEST_FACT = { question: 400, text: 700 } as const;

const words = (most: number, name: string) =>
  z
    .string("Ожидалась строка")
    .check(z.trim(), z.minLength(1, `Напишите ${name}`), z.maxLength(most, `Не длиннее ${most} знаков`));

export const FactDecision = z.discriminatedUnion(
  "decision",
  [
    z.object({
      decision: z.literal("confirm"),
      /** As everybody may read them. */
      question: words(LONGEST_FACT.question, "вопрос"),
      text: words(LONGEST_FACT.text, "ответ"),
    }),
    z.object({ decision: z.literal("reject") }),
    /** Takes either back. */
    z.object({ decision: z.literal("reopen") }),
  ],
  "Выберите, что сделать с фактом",
);
export type FactDecision = z.infer<typeof FactDecision>;

export const chatFactsApi = {
  list: endpoint("GET /api/digital-twins/:id/chat-facts", {
    access: "signed-in",
    summary: "Какие факты нашлись в переписке владельца и ждут его решения",
    params: IdParams,
    output: ChatFacts,
  }),
  decide: endpoint("PUT /api/digital-twins/:id/chat-facts/:factId", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Подтвердить факт, отклонить его или вернуть в список",
    params: z.extend(IdParams, { factId: id }),
    input: FactDecision,
  }),
};
