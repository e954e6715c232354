import { askedTypes, isTypeWord } from "#server/knowledge/language/question/answer-type.ts";
import { contentWords, correctSpelling } from "#server/knowledge/language/question/question-parts.ts";
import { normalize, stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { relatedStems } from "#server/knowledge/language/words/synonyms.ts";
import { tradeWordsOf } from "#server/knowledge/language/words/trade-words.ts";
import { memoize } from "#server/platform/text/memoize.ts";
import { type Bounds, boundsOf, contrasts, namesDifferentPeriod } from "./contrast.ts";

export const SIMILAR_QUESTION = 0.85;

/** Maximum similarity of questions about different days: «…в субботу?» differs from «…в воскресенье?», however many words they share. */
const OTHER_DAY = 0.6;

export interface QuestionForm {
  plain: string;
  stems: ReadonlySet<string>;
  numbers: string;
  types: readonly string[];
  bounds: Bounds;
}

/** Memoised, because each message is compared with every corrected question. */
export const questionForm = memoize(2000, formOf);

function formOf(question: string): QuestionForm {
  const text = correctSpelling(question);
  const content = contentWords(text).filter((word) => !isTypeWord(word));
  const trade = new Set(tradeWordsOf(text));
  return {
    plain: words(normalize(question)).join(" "),
    // Keeps «ТО» as a word, because it is written like a stop word, which has no stem.
    stems: new Set(content.map((word) => stemOf(word) || (trade.has(word) ? word : "")).filter((stem) => stem !== "")),
    numbers: (normalize(text).match(/\d+/g) ?? []).join(" "),
    types: askedTypes(text),
    bounds: boundsOf(question),
  };
}

/**
 * Returns 1 for the same words, else Dice's coefficient of both questions' content words with synonyms. Returns 0 for different answer
 * types or numbers.
 */
export function similarity(one: QuestionForm, other: QuestionForm): number {
  if (one.plain !== "" && one.plain === other.plain) return 1;
  if (!mayHaveSameAnswerType(one, other)) return 0;
  if (one.stems.size === 0 || other.stems.size === 0) return 0;
  const like = (shared(one.stems, other.stems) + shared(other.stems, one.stems)) / (one.stems.size + other.stems.size);
  return like > OTHER_DAY && namesDifferentPeriod(one.bounds, other.bounds) ? OTHER_DAY : like;
}

/**
 * Whether the wording names all that is asked about: «сколько стоит доставка трёх пионов в субботу» is not answered for roses, however many
 * other words are shared, and a price not by an answer to a question that asked for none.
 */
export const hasSameSubject = (asked: QuestionForm, wording: QuestionForm): boolean =>
  (asked.plain !== "" && asked.plain === wording.plain) ||
  (shared(asked.stems, wording.stems) === asked.stems.size &&
    asked.types.every(
      (type) => wording.types.includes(type) || (TIMES.has(type) && wording.types.some((one) => TIMES.has(one))),
    ));

/** Excludes differences that embeddings miss: other numbers, another answer type, another day or name. */
export const mayAskTheSame = (one: QuestionForm, other: QuestionForm): boolean =>
  one.numbers === other.numbers &&
  (mayHaveSameAnswerType(one, other) || [one, other].every(({ types }) => types.every((type) => TIMES.has(type)))) &&
  !contrasts(one.bounds, other.bounds);

/** Answer types that are interchangeable: «когда занятия?» and «во сколько занятия?». */
const TIMES = new Set(["day", "clock", "hours"]);

const mayHaveSameAnswerType = (one: QuestionForm, other: QuestionForm) =>
  one.numbers === other.numbers &&
  (one.types.length === 0 || other.types.length === 0 || one.types.some((type) => other.types.includes(type)));

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const stem of one) if (hasStem(other, stem)) count++;
  return count;
}

/** Whether a question has the stem or that of a synonym. */
export function hasStem(stems: ReadonlySet<string>, stem: string): boolean {
  if (stems.has(stem)) return true;
  for (const related of relatedStems(stem)) if (stems.has(related)) return true;
  return false;
}
