/** Decides whether two questions ask the same: the same words in any form, and the same amounts. */

import { isTypeWord } from "#server/knowledge/language/question/answer-type.ts";
import { matchWord, type Vocabulary, vocabularyOf } from "#server/knowledge/language/question/answer-vocabulary.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { relatedStems } from "#server/knowledge/language/words/synonyms.ts";
import { type Bounds, boundsOf, contrasts } from "./contrast.ts";

interface Word {
  word: string;
  stem: string;
}

export interface AskedWords {
  words: Word[];
  vocabulary: Vocabulary;
  bounds: Bounds;
}

/** Minimum `matchWord` of two forms or misspellings of one word. */
const SAME_WORD = 0.8;
/** Minimum number of equal leading letters of two forms of one word. */
const BEGINNING = 4;

export function askedWords(question: string): AskedWords {
  const words = contentWords(question).filter((word) => !isTypeWord(word) && !/\d/.test(word));
  return {
    words: words.map((word) => ({ word, stem: stemOf(word) })),
    vocabulary: vocabularyOf(question),
    bounds: boundsOf(question),
  };
}

/** Questions that ask the same share one of these keys; others need not be compared. */
export const beginningsOf = ({ words }: AskedWords): string[] => words.map(({ word }) => word.slice(0, BEGINNING));

export const asksInSameWords = (one: AskedWords, other: AskedWords): boolean =>
  !contrasts(one.bounds, other.bounds) &&
  sharedWordRatio(one, other, isForm) === 1 &&
  sharedWordRatio(other, one, isForm) === 1;

type Held = (word: Word, vocabulary: Vocabulary) => boolean;

/** Whether the vocabulary has the word, a synonym or a misspelt form of it. */
export const isWordInVocabulary: Held = (word, vocabulary) => matchWord(word, vocabulary) >= SAME_WORD;

const isForm: Held = (word, vocabulary) =>
  isWordInVocabulary(word, vocabulary) &&
  (vocabulary.stems.has(word.stem) || ![...relatedStems(word.stem)].some((stem) => vocabulary.stems.has(stem)));

export const sharedWordRatio = ({ words }: AskedWords, { vocabulary }: AskedWords, held: Held): number =>
  words.length === 0 ? 0 : words.filter((word) => held(word, vocabulary)).length / words.length;
