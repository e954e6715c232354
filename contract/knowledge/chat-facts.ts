/** Facts about prices, hours, places and conditions from the owner's past replies, which he confirms or rejects. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

const id = z.string().check(z.regex(/^[1-9]\d{0,15}$/, "Неверный идентификатор"));

/** Placeholders for personal data. A text with a placeholder is not used until the owner has reworded it. */
const MASK = /\[(?:имя|телефон|почта|адрес|номер)\]/;

export const maskIn = (text: string): string | null => MASK.exec(text)?.[0] ?? null;

/** Splits a text so that every second piece is a placeholder. */
export const splitAtMasks = (text: string): string[] => text.split(/(\[(?:имя|телефон|почта|адрес|номер)\])/);

/** One answer in the owner's own words with personal data masked. */
export const FactVariant = z.object({
  id,
  reply: z.string(),
  /** How often the owner wrote this answer. */
  times: z.number(),
  /** To how many contacts he wrote it. */
  people: z.number(),
  /** When he last wrote it. */
  saidAt: z.string(),
  /** The newest message that states it; `before` is the cursor of a page of the history that shows it with what follows. */
  message: z.object({ id: z.string(), before: z.string() }),
});
export type FactVariant = z.infer<typeof FactVariant>;

export const ChatFact = z.object({
  question: z.string(),
  /** Answers found in the replies, the newest first; older ones contradict it. */
  variants: z.array(FactVariant).check(z.minLength(1)),
  /** The published answer that newer replies contradict; null when there is none. */
  current: z.nullable(z.string()),
  /** Whether the question can be understood without its conversation. */
  clear: z.boolean(),
});
export type ChatFact = z.infer<typeof ChatFact>;

export const ChatFacts = z.object({
  counts: z.object({
    total: z.number(),
    /** Number of facts that the owner has not decided on and that are not published already. */
    left: z.number(),
  }),
  /** Undecided facts, at most `FACTS_SHOWN`: the clear ones first, and of these the most frequent. */
  facts: z.array(ChatFact),
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
      /** The question with personal data masked. */
      question: words(LONGEST_FACT.question, "вопрос"),
      /** The answer with personal data masked. */
      text: words(LONGEST_FACT.text, "ответ"),
    }),
    z.object({ decision: z.literal("reject") }),
    z.object({ decision: z.literal("reopen") }),
  ],
  "Выберите, что сделать с фактом",
);
export type FactDecision = z.infer<typeof FactDecision>;

export const chatFactsApi = {
  list: endpoint("GET /api/digital-twins/:id/chat-facts", {
    access: "signed-in",
    // The tags include corrections and open replies because published answers are not proposed again.
    tags: ["twins", "facts", "corrections", "open-replies"],
    summary: "Какие факты нашлись в переписке владельца и ждут его решения",
    params: IdParams,
    output: ChatFacts,
  }),
  decide: endpoint("PUT /api/digital-twins/:id/chat-facts/:factId", {
    access: "editor",
    refreshes: ["facts", "corrections"],
    beforeConfirmation: true,
    summary: "Подтвердить факт, отклонить его или вернуть в список",
    params: z.extend(IdParams, { factId: id }),
    input: FactDecision,
  }),
};
