/** Chooses questions to show the owner what the twin knows, for twins without a suitable history. */
import { and, desc, eq } from "drizzle-orm";
import { sentencesOf } from "#server/knowledge/documents/chunk-sentences.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { chunks } from "#server/platform/db/schema/knowledge.ts";

/** Number of the newest chunks whose questions are read, however many documents there are. */
const CHUNKS = 40;
const TAKEN = 16;
/** Characters: a shorter question names no subject, a longer one cannot be read at a glance. */
const LENGTH = { from: 10, to: 120 };
/** A question of fewer words («Что это?») is not meaningful alone. */
const WORDS = 3;
/** How lists of questions mark them: «1.», «—», «В:», «Вопрос 2:». */
const MARKER = /^(?:(?:[-–—•*#>]|\d{1,3}[.)]|(?:вопрос|question|в|q)(?: \d{1,3})?[:.)])\s*)+/iu;

/**
 * Questions that customers ask most businesses. Documents rarely contain questions, so these show what the documents answer; those without
 * an answer are worth teaching.
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

/** Returns questions that the twin's documents contain, as an FAQ does, newest document first, without duplicates. */
export async function questionsInDocuments(tx: Tx, twinId: string): Promise<string[]> {
  const rows = await tx
    .select({ heading: chunks.heading, text: chunks.text })
    .from(chunks)
    .where(and(eq(chunks.twinId, twinId), eq(chunks.audience, 0)))
    .orderBy(desc(chunks.id))
    .limit(CHUNKS);
  return [...new Set(rows.flatMap(questionsIn))].slice(0, TAKEN);
}

/** Returns the questions that a piece of a document contains. */
export const questionsIn = ({ heading, text }: { heading: string | null; text: string }): string[] =>
  [...(heading?.split("\n") ?? []), ...sentencesOf(text)].flatMap(questionIn);

function questionIn(sentence: string): string[] {
  const question = sentence.trim().replace(MARKER, "").trim();
  const { length } = question;
  const fits = question.endsWith("?") && length >= LENGTH.from && length <= LENGTH.to && !question.includes("\n");
  return fits && wordsOf(question).length >= WORDS ? [question] : [];
}
