/** Analyses a chunk's sentences once for all questions that find it. */

import { FIELD, LIST_MARK } from "#server/knowledge/language/list-lines.ts";
import type { TypeFits } from "#server/knowledge/language/question/answer-type.ts";
import { type Vocabulary, vocabularyOf } from "#server/knowledge/language/question/answer-vocabulary.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { MB, memoize, memoizeByObject } from "#server/platform/text/memoize.ts";
import { bareItemStarts } from "./document-blocks.ts";
import { tableCells } from "./table-row.ts";

export interface ChunkSentence {
  /** Index of the sentence in the chunk, from 0, without the heading's line. */
  at: number;
  text: string;
  block: number;
  first: boolean;
  isQuestion: boolean;
  isListItem: boolean;
  /** Whether it is a table row or a record's field, so that adjacent rows are about other things. */
  isRow: boolean;
  tells: boolean;
  vocabulary: Vocabulary;
  /** Vocabulary of the chunk's heading and of the question above the sentence. */
  heading: Vocabulary;
  /** The question above the sentence in its chunk. */
  question: string | null;
  section: number;
  /**
   * Index of the preceding sentence of its block under the same question, or of the column headings for a table row; null for the first.
   */
  previous: number | null;
  fits: TypeFits;
}

/** @param given the chunk's sentences if already known; empty: they are split here */
export function chunkSentences(
  chunk: { heading: string; text: string },
  given: readonly string[],
): readonly ChunkSentence[] {
  const { heading, text } = chunk;
  const usual = sentencesOf(text);
  if (given.length > 0 && !isSame(usual, given)) return takenApart(heading, text, given);
  const last = lastOf(usual);
  if (last.heading !== heading) Object.assign(last, { heading, sentences: takenApart(heading, text, usual) });
  return last.sentences;
}

/**
 * Memory per character of everything attached to a chunk's sentences: 27 bytes here on XQuAD's Russian texts, the rest in
 * score-sentences.ts.
 */
const BYTES_PER_CHARACTER = 32;

/** Memoised, because splitting sentences is the slowest step of the analysis. A cache generation holds about 900 chunks. */
export const sentencesOf = memoize(24 * MB, splitSentences, ({ length }) => 1000 + BYTES_PER_CHARACTER * length);

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((sentence, at) => sentence === other[at]);

/** The latest analysis of each list in the cache of `sentencesOf`, with the heading that it used. */
const lastOf = memoizeByObject((_: readonly string[]): { heading: string | null; sentences: ChunkSentence[] } => ({
  heading: null,
  sentences: [],
}));

function takenApart(heading: string, text: string, sentences: readonly string[]): ChunkSentence[] {
  let from = 0;
  let block = 0;
  let question: string | null = null;
  let first = true;
  let headed = vocabularyOf(heading);
  const bare = bareItemStarts(text);
  const found: ChunkSentence[] = [];
  for (const [at, raw] of sentences.entries()) {
    const sentence = raw.trim();
    const start = text.indexOf(sentence, from);
    const gap = start < 0 ? "" : text.slice(from, start);
    if (start >= 0) from = start + sentence.length;
    const isQuestion = /\?[»”"')\]*_]*$/.test(sentence);
    const isListItem = LIST_MARK.test(sentence) || (start >= 0 && bare.has(start));
    if (isQuestion || isListItem || /\n\s*\n/.test(gap)) block++;
    if (sentence === heading.trim()) continue;
    const vocabulary = vocabularyOf(sentence);
    const tells = !isQuestion && (sentence.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) > 1;
    const section = found.find((other) => other.question === question);
    const inBlock = (other: ChunkSentence) => other.question === question && other.block === block;
    const isTableRow = tableCells(sentence) !== null;
    const headings = isTableRow ? found.findIndex((other) => inBlock(other) && tableCells(other.text) !== null) : -1;
    const previous = headings >= 0 ? headings : found.findLastIndex(inBlock);
    found.push({
      at,
      text: sentence,
      block,
      first,
      isQuestion,
      isListItem,
      isRow: isTableRow,
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
  const isField = (one: ChunkSentence | undefined) => one !== undefined && FIELD.test(one.text);
  for (const [at, one] of found.entries()) {
    const beside = [found[at - 1], found[at + 1]].some((other) => other?.block === one.block && isField(other));
    one.isRow ||= isField(one) && beside;
  }
  return found;
}
