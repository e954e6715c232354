/**
 * How likely a past reply fits a message, judged by both sides of its pair. That two messages share a word says nothing about whether one
 * answer serves both: on chats of real people replies that were found so fit no better than any other of the owner's
 * (docs/decisions/027-answers-without-a-model.md).
 */

import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { normalize, stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { THRESHOLDS } from "../thresholds.ts";

export interface Pair {
  incoming: string;
  reply: string;
}

/** Content words that both messages must have. */
const LEAST_SHARED = 2;
/** Beyond it the measured share that fits rises no further, however alike the messages are. */
const SUREST = 0.4;
/**
 * The least for the very same question of two content words or more, asked again word for word. Too few were measured to tell it from the
 * floor (.34 of 21, by chance .10), and a contact who asks again expects the same answer.
 */
const SAME_QUESTION = THRESHOLDS.fit;
/** More shared words say no more. */
const MOST_SHARED = 4;
/**
 * Logistic regression, fitted on the `dev` half of bench:private-people and on questions whose right answers are known
 * (docs/decisions/027-answers-without-a-model.md): bias, the shared words, and whether the reply takes up a word of the message.
 */
const coefficients = [-2.33, 0.62, 0.77];

/**
 * Estimates for many pairs of one message.
 * @param rarity of a stem, 0..1
 * @returns 0..1; 0 where the messages have too little in common
 */
export function pairFit(message: string, rarity: (stem: string) => number): (pair: Pair) => number {
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

/** The features of the regression; null where the messages have too little in common. */
export function pairFeatures(message: string, rarity: (stem: string) => number): (pair: Pair) => number[] | null {
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
