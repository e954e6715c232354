import { gramsOf, stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { memoizeByObject } from "#server/platform/text/memoize.ts";
import { termKey } from "../index-segment.ts";
import { inverseFrequency, lengthSlope, saturation } from "./bm25.ts";
import type { Query } from "./query-terms.ts";
import type { FieldName } from "./term.ts";
import type { TermStatistics } from "./term-statistics.ts";

export interface ScoredSentence {
  text: string;
  /** Score of the sentence plus that of its chunk, 0..2; comparable across the chunks of one call. */
  score: number;
}

type SentenceWeights = Record<FieldName, ReadonlyMap<string, number>>;

/** Average terms per sentence, to estimate the number of sentences from the index's totals. */
const termsPerSentence: Record<FieldName, number> = { stems: 12, grams: 100 };

/**
 * Estimates the idf over sentences without storing them: each occurrence of a term counts as a sentence. On XQuAD this is as good as
 * counting sentences and better than the idf over chunks (answer sentence first: .774 against .764 in Russian, .771 against .757 in
 * English).
 */
export function weighForSentences(query: Query, statistics: TermStatistics): SentenceWeights {
  const weigh = (name: FieldName) => {
    const sentences = statistics.length(name) / termsPerSentence[name];
    return new Map(
      query[name].map((text) => {
        const occurrences = statistics.occurrences(name, text);
        return [text, inverseFrequency(Math.max(sentences, occurrences), occurrences)];
      }),
    );
  };
  return { stems: weigh("stems"), grams: weigh("grams") };
}

/** Weight of the chunk's score relative to the sentence's own. */
const chunkWeight = 1;

/**
 * Scores the sentences of found chunks; each list keeps the order of the text. A sentence's own score is the mean of two BM25 scores,
 * each divided by its maximum over all these sentences.
 * @param chunks sentences of each chunk, and the chunk's score in 0..1
 */
export function scoreSentences(
  chunks: readonly { sentences: readonly string[]; score: number }[],
  weights: SentenceWeights,
): ScoredSentence[][] {
  const all = chunks.flatMap(({ sentences }) => takenApart(sentences));
  const stems = fieldScores(all, weights.stems, "stems");
  const grams = fieldScores(all, weights.grams, "grams");
  let at = 0;
  return chunks.map(({ sentences, score }) =>
    sentences.map((text) => {
      const own = 0.5 * stems[at]! + 0.5 * grams[at]!;
      at++;
      return { text, score: own + chunkWeight * score };
    }),
  );
}

/** Marks the hash slots of the query's grams, which excludes nearly all grams of a sentence without a lookup. */
const asked = new Uint8Array(2 ** 16);
const slotOf = (gram: string) => termKey(gram) % asked.length;

interface TakenApart {
  stems: string[];
  words: (readonly string[])[];
  /** Slots of all words' grams, one word after another, as characters: a typed array has an overhead of 200 bytes. */
  slots: string;
}

function takeApart(text: string): TakenApart {
  const all = words(text);
  const found = all.map(gramsOf);
  const slots = found.flatMap((grams) => grams.map((gram) => String.fromCharCode(slotOf(gram)))).join("");
  return { stems: all.map(stemOf).filter((stem) => stem !== ""), words: found, slots };
}

/** Analysed sentences of a list, cached as long as its chunk (`sentencesOf`). */
const takenApart = memoizeByObject((sentences: readonly string[]) => sentences.map(takeApart));

type Finder = (sentence: TakenApart, count: (term: string) => void) => void;

const lengthOf: Record<FieldName, (sentence: TakenApart) => number> = {
  stems: ({ stems }) => stems.length,
  grams: ({ slots }) => slots.length,
};

const find: Record<FieldName, Finder> = {
  stems: ({ stems }, count) => stems.forEach(count),
  grams({ words, slots }, count) {
    let word = 0;
    let before = 0;
    for (let at = 0; at < slots.length; at++) {
      if (asked[slots.charCodeAt(at)] === 0) continue;
      while (at - before >= words[word]!.length) before += words[word++]!.length;
      count(words[word]![at - before]!);
    }
  },
};

function fieldScores(
  sentences: readonly TakenApart[],
  weights: ReadonlyMap<string, number>,
  name: FieldName,
): number[] {
  const lengths = sentences.map(lengthOf[name]);
  const slope = lengthSlope(lengths.reduce((sum, length) => sum + length, 0) / lengths.length || 1);
  const places = new Map([...weights.keys()].map((term, place) => [term, place]));
  const worth = [...weights.values()];
  const times = new Uint16Array(worth.length);
  const held: number[] = [];
  const count = (term: string) => {
    const place = places.get(term);
    if (place !== undefined && times[place]!++ === 0) held.push(place);
  };
  if (name === "grams") for (const gram of places.keys()) asked[slotOf(gram)] = 1;
  const scores = sentences.map((sentence, at) => {
    find[name](sentence, count);
    let score = 0;
    for (const place of held) {
      score += worth[place]! * saturation(times[place]!, lengths[at]!, slope);
      times[place] = 0;
    }
    held.length = 0;
    return score;
  });
  if (name === "grams") for (const gram of places.keys()) asked[slotOf(gram)] = 0;
  const best = Math.max(0, ...scores);
  return best > 0 ? scores.map((score) => score / best) : scores;
}
