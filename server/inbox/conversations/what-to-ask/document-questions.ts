/** Questions that a twin is asked for its owner to see, where no message of the history shows what it knows. */
import { and, desc, eq } from "drizzle-orm";
import { sentencesOf } from "#server/knowledge/documents/chunk-sentences.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { chunks } from "#server/platform/db/schema/knowledge.ts";

/** Number of the newest chunks whose questions are read, however many documents there are. */
const CHUNKS = 40;
/** Number of questions taken from documents. */
const TAKEN = 16;
/** Characters: what is shorter names no subject, what is longer cannot be read at a glance. */
const LENGTH = { from: 10, to: 120 };
/** A question of fewer words («Что это?») is not meaningful alone. */
const WORDS = 3;
/** How lists of questions mark them: «1.», «—», «В:», «Вопрос 2:». */
const MARKER = /^(?:(?:[-–—•*#>]|\d{1,3}[.)]|(?:вопрос|question|в|q)(?: \d{1,3})?[:.)])\s*)+/iu;

/**
 * What customers ask most businesses. Documents rarely ask their own questions, so these find out what they answer; and whichever of
 * these they do not answer is worth teaching.
 */
export const USUAL_QUESTIONS: readonly string[] = [
  "Сколько стоит доставка?",
  "Сколько это стоит?",
  "В какие часы вы работаете?",
  "Как можно оплатить?",
  "Как оформить возврат?",
  "Какая у вас гарантия?",
  "Где вы находитесь?",
  "Сколько ждать заказ?",
  "Как к вам записаться?",
  "Какие у вас есть скидки?",
  "Можно ли отменить заказ?",
  "Работаете ли вы в праздники?",
  "Можно ли оплатить в рассрочку?",
  "Есть ли у вас подарочные сертификаты?",
];

/** Questions that the twin's documents ask themselves, as an FAQ does, the newest document first; the same question once. */
export async function questionsInDocuments(tx: Tx, twinId: string): Promise<string[]> {
  const rows = await tx
    .select({ heading: chunks.heading, text: chunks.text })
    .from(chunks)
    .where(and(eq(chunks.twinId, twinId), eq(chunks.audience, 0)))
    .orderBy(desc(chunks.id))
    .limit(CHUNKS);
  const found = rows.flatMap(({ heading, text }) => [...(heading?.split("\n") ?? []), ...sentencesOf(text)]);
  return [...new Set(found.flatMap(questionIn))].slice(0, TAKEN);
}

function questionIn(sentence: string): string[] {
  const question = sentence.trim().replace(MARKER, "").trim();
  const { length } = question;
  const fits = question.endsWith("?") && length >= LENGTH.from && length <= LENGTH.to && !question.includes("\n");
  return fits && wordsOf(question).length >= WORDS ? [question] : [];
}
