/**
 * Which of several phrases a message is nearest to: the one that shares more of the words that tell the phrases apart. Both are split into words by the caller, without numbers.
 */
import { stemOf } from "#server/knowledge/language/words/analyze.ts";

/** Stop words that say what is asked: «где мой заказ» and «сколько стоит заказ» differ in them. */
export const ASKING = new Set(
  "где когда куда откуда что как какой какая какое какие сколько почему зачем кто чей".split(" "),
);
/** The stem of a word that carries meaning, a word that asks as it is, or "" for another stop word. */
export const markOf = (word: string): string => (ASKING.has(word) ? word : stemOf(word));

/** Said beside any request: with or without them the words are the same. */
const COURTESY = new Set(
  "пожалуйста пожалуста пжл плиз здравствуйте привет добрый день вечер утро спасибо скажите скажи подскажите подскажи please hello hi thanks".split(
    " ",
  ),
);

/** What a phrase shares with a message, from what says most to what says least. */
interface Features {
  /** Stems of what carries meaning. */
  marks: ReadonlySet<string>;
  /** As they are written, which tells «в заказе» and «с заказом» apart. */
  words: ReadonlySet<string>;
  /** Neighbours, which tell «Москва — Тверь» and «Тверь — Москва» apart. */
  pairs: ReadonlySet<string>;
}

function featuresOf(words: readonly string[]): Features {
  return {
    marks: new Set(words.map(markOf).filter((mark) => mark !== "")),
    words: new Set(words),
    pairs: new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`)),
  };
}

export interface Candidate<T> {
  of: T;
  /** All phrases of its owner. */
  phrases: readonly (readonly string[])[];
  /** Those of them that the message asks for; at least one. */
  asked: readonly (readonly string[])[];
}

interface Read<T> {
  of: T;
  all: readonly Features[];
  asked: readonly Features[];
}

/** The words in their order, courtesy aside: equal for a message and a phrase that say the same. */
export const plainText = (words: readonly string[]): string => words.filter((word) => !COURTESY.has(word)).join(" ");

/** @returns the nearest one; or all between which the message does not decide; empty without candidates */
export function nearestOf<T>(message: readonly string[], candidates: readonly Candidate<T>[]): readonly T[] {
  const said = featuresOf(message);
  const read = candidates.map(
    ({ of, phrases, asked }): Read<T> => ({ of, all: phrases.map(featuresOf), asked: asked.map(featuresOf) }),
  );
  const nearest = read.find((one) => read.every((other) => other === one || isNearer(said, one, other)));
  return (nearest === undefined ? read : [nearest]).map(({ of }) => of);
}

function isNearer<T>(said: Features, one: Read<T>, other: Read<T>): boolean {
  const more = (level: keyof Features, against: "asked" | "all"): number =>
    ownWords(said, level, one.asked, other[against]) - ownWords(said, level, other.asked, one[against]);
  const first = [more("marks", "asked"), more("marks", "all"), more("words", "asked"), more("pairs", "asked")].find(
    (difference) => difference !== 0,
  );
  return first !== undefined && first > 0;
}

/** The most features that one of the phrases shares with the message and none of the others has. */
function ownWords(
  said: Features,
  level: keyof Features,
  phrases: readonly Features[],
  others: readonly Features[],
): number {
  const own = (phrase: Features) =>
    [...phrase[level]].filter((part) => said[level].has(part) && !others.some((other) => other[level].has(part)));
  return Math.max(...phrases.map((phrase) => own(phrase).length));
}
