/**
 * Estimates how likely a past reply fits a message, from both sides of its pair. A shared word is not enough: in real chats, replies
 * found that way fit no better than random replies of the owner (docs/decisions/027-answers-without-a-model.md).
 */

import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { normalize, stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { THRESHOLDS } from "../extraction/thresholds.ts";

export interface ReplyPair {
  incoming: string;
  reply: string;
}

/** Minimum number of content words that both messages share. */
const LEAST_SHARED = 2;
/** Maximum estimate: the measured share of fitting replies does not rise further with similarity. */
const SUREST = 0.4;
/**
 * Minimum for the same question of two or more content words, repeated verbatim: a contact who asks again expects the same answer. The
 * sample is too small to separate it from the threshold (.34 of 21, by chance .10).
 */
const SAME_QUESTION = THRESHOLDS.fit;
/** More shared words do not raise the estimate. */
const MOST_SHARED = 4;
/**
 * Logistic regression, fitted on the `dev` half of bench:private-people and on questions with known answers
 * (docs/decisions/027-answers-without-a-model.md): bias, shared words, and whether the reply repeats a word of the message.
 */
const coefficients = [-2.33, 0.62, 0.77];

/**
 * Returns an estimator for many pairs and one message.
 * @param rarity of a stem, 0..1
 * @returns 0..1; 0 when the messages have too little in common
 */
export function pairFit(message: string, rarity: (stem: string) => number): (pair: ReplyPair) => number {
  const featuresOf = pairFeatures(message, rarity);
  const question = wantOf(message) === "question" ? plain(message) : null;
  return (pair) => {
    const features = featuresOf(pair);
    if (features === null) return 0;
    const least = question !== null && plain(pair.incoming) === question ? SAME_QUESTION : 0;
    return Math.max(least, Math.min(SUREST, probabilityOf(features)));
  };
}

/** @param features see `pairFeatures` */
export const probabilityOf = (features: readonly number[]): number =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * coefficients[at]!, 0)));

export function pairFeatures(message: string, rarity: (stem: string) => number): (pair: ReplyPair) => number[] | null {
  const asked = stemsOf(message);
  const askedWeight = weigh(asked, rarity);
  return ({ incoming, reply }) => {
    const answered = stemsOf(incoming);
    const shared = [...asked].filter((stem) => answered.has(stem));
    if (shared.length < LEAST_SHARED) return null;
    const both = askedWeight + weigh(answered, rarity);
    const alike = both === 0 ? 0 : (2 * weigh(shared, rarity)) / both;
    const said = stemsOf(reply);
    return [1, alike * Math.min(shared.length, MOST_SHARED), [...asked].some((stem) => said.has(stem)) ? 1 : 0];
  };
}

const plain = (text: string): string => words(normalize(text)).join(" ");

const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(contentWords(text).flatMap((word) => stemOf(word) || []));

const weigh = (stems: Iterable<string>, rarity: (stem: string) => number): number => {
  let sum = 0;
  for (const stem of stems) sum += rarity(stem);
  return sum;
};
