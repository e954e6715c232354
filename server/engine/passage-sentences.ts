/** A passage taken apart once for all the questions that find it. */

import { remembered } from "#server/knowledge/remembered.ts";
import { splitSentences } from "#server/knowledge/sentences.ts";
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
  /** Places in the passage's list: the others under the same question, and those of them that stand before it in its block. */
  near: readonly number[];
  before: readonly number[];
}

const LIST_ITEM = /^\s*(?:[-–—•*▪◦]|\d{1,2}[.)])\s+/;
const SEPARATOR = "\u0000";

/** @param given where sentences end, when that is known already */
export function passageSentences(
  passage: { heading: string; text: string },
  given: readonly string[],
): readonly PassageSentence[] {
  if (given.length > 0 && !isSplitSo(passage.text, given)) return takenApart(passage.heading, passage.text, given);
  return known(passage.heading + SEPARATOR + passage.text);
}

/** Where sentences end costs more to find than anything else about a passage. */
export const sentencesOf = remembered(1000, splitSentences);

function isSplitSo(text: string, given: readonly string[]): boolean {
  const usual = sentencesOf(text);
  return usual.length === given.length && usual.every((sentence, at) => sentence === given[at]);
}

/** About 20 KB each. */
const known = remembered(1000, (key) => {
  const end = key.indexOf(SEPARATOR);
  const text = key.slice(end + 1);
  return takenApart(key.slice(0, end), text, sentencesOf(text));
});

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
    const rest = { heading: headed, near: [], before: [], question };
    found.push({ at, text: sentence, block, first, isQuestion, isListItem, tells, vocabulary, ...rest });
    if (isQuestion) {
      question = sentence;
      headed = vocabularyOf(`${heading} ${question}`);
    }
    first = isQuestion;
  }
  for (const [place, one] of found.entries()) {
    one.near = [...found.keys()].filter((other) => other !== place && found[other]!.question === one.question);
    one.before = one.near.filter((other) => found[other]!.block === one.block && found[other]!.at < one.at);
  }
  return found;
}
