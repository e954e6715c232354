/** A passage taken apart once for all the questions that find it. */

import { remembered } from "#server/knowledge/remembered.ts";
import { splitSentences } from "#server/knowledge/sentences.ts";
import type { TypeFits } from "./answer-type.ts";
import { type Vocabulary, vocabularyOf } from "./answer-vocabulary.ts";

export interface PassageSentence {
  /** In the passage, from 0; the heading's own line has none. */
  at: number;
  text: string;
  /** Sentences of one list item or paragraph share it. */
  block: number;
  /** It stands first under its heading or question. */
  first: boolean;
  isQuestion: boolean;
  isListItem: boolean;
  /** Whether it tells something: no question, and more than a word. */
  tells: boolean;
  vocabulary: Vocabulary;
  /** Of the passage's heading and of the question that it stands under. */
  heading: Vocabulary;
  /** A place in the passage's list: the first that stands under the same question. */
  section: number;
  /** The place of the one before it in its block, under the same question; null where it stands first. */
  previous: number | null;
  /** What it was asked so far. */
  fits: TypeFits;
}

const LIST_ITEM = /^\s*(?:[-–—•*▪◦]|\d{1,2}[.)])\s+/;

/** @param given where sentences end, when that is known already */
export function passageSentences(
  passage: { heading: string; text: string },
  given: readonly string[],
): readonly PassageSentence[] {
  const { heading, text } = passage;
  const usual = sentencesOf(text);
  if (given.length > 0 && !isSame(usual, given)) return takenApart(heading, text, given);
  const before = known.get(usual);
  if (before?.heading === heading) return before.sentences;
  const sentences = takenApart(heading, text, usual);
  known.set(usual, { heading, sentences });
  return sentences;
}

/** Where sentences end costs more to find than anything else about a passage. */
export const sentencesOf = remembered(1000, splitSentences);

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((sentence, at) => sentence === other[at]);

/** Of each list of `sentencesOf`, as long as that is remembered, under the heading that it had last: about 20 KB each. */
const known = new WeakMap<readonly string[], { heading: string; sentences: PassageSentence[] }>();

function takenApart(heading: string, text: string, sentences: readonly string[]): PassageSentence[] {
  let from = 0;
  let block = 0;
  let question: string | null = null;
  let first = true;
  let headed = vocabularyOf(heading);
  const found: (PassageSentence & { question: string | null })[] = [];
  for (const [at, raw] of sentences.entries()) {
    const sentence = raw.trim();
    const start = text.indexOf(sentence, from);
    const gap = start < 0 ? "" : text.slice(from, start);
    if (start >= 0) from = start + sentence.length;
    const isQuestion = /\?\s*$/.test(sentence);
    const isListItem = LIST_ITEM.test(sentence);
    if (isQuestion || isListItem || /\n\s*\n/.test(gap)) block++;
    if (sentence === heading.trim()) continue;
    const vocabulary = vocabularyOf(sentence);
    const tells = !isQuestion && (sentence.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) > 1;
    const section = found.find((other) => other.question === question);
    const previous = found.findLastIndex((other) => other.question === question && other.block === block);
    found.push({
      at,
      text: sentence,
      block,
      first,
      isQuestion,
      isListItem,
      tells,
      vocabulary,
      heading: headed,
      section: section?.section ?? found.length,
      previous: previous < 0 ? null : previous,
      fits: {},
      question,
    });
    if (isQuestion) {
      question = sentence;
      headed = vocabularyOf(`${heading} ${question}`);
    }
    first = isQuestion;
  }
  return found;
}
