/** The words of a sentence or heading, and whether one of them says what a question asks about. */
import { memoized } from "#server/knowledge/memoize.ts";
import { words as plainWords, stemOf } from "../analyze.ts";
import { FUNCTION_WORDS } from "../lexicon.ts";
import { relatedStems } from "../synonyms.ts";
import { isNear, joinedNumbers, sameStart } from "./question-parts.ts";

export interface Vocabulary {
  /** Said to be absent: «без печати». */
  negated: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  words: readonly string[];
  /** Distinct longer content words with their stems, among which other word forms and misspellings are looked up. */
  alike: readonly { word: string; stem: string }[];
  /** First and last letter and length of the stem and of the word, six numbers per entry of `alike`: a cheap test that rules most out. */
  outlines: Uint16Array;
}

const WITHOUT = new Set(["без", "кроме", "without"]);
const NEGATED = 0.4;
const SYNONYM = 0.85;
/** An adjective of the noun: a guitar is not its amplifier. */
const AKIN = 0.65;
const SLIP = 0.8;
const NONE: ReadonlySet<string> = new Set();

export function vocabularyOf(text: string): Vocabulary {
  const words = plainWords(joinedNumbers(text));
  const stems = words.map(stemOf);
  const isWithout = (stem: string, i: number) => stem !== "" && i > 0 && WITHOUT.has(words[i - 1]!);
  const without = stems.filter(isWithout);
  const kept = without.length === 0 ? NONE : new Set(stems.filter((stem, i) => !isWithout(stem, i)));
  const long = new Set(words.filter((word) => word.length >= 4 && !FUNCTION_WORDS.has(word)));
  const alike = [...long].map((word) => ({ word, stem: stemOf(word) }));
  return {
    words,
    alike,
    outlines: Uint16Array.from(alike.flatMap(({ word, stem }) => [...outlineOf(stem), ...outlineOf(word)])),
    stems: new Set(stems.filter((stem) => stem !== "")),
    negated: without.length === 0 ? NONE : new Set(without.filter((stem) => !kept.has(stem))),
  };
}

/** The same for a text that many sentences share: a document's name. */
export const memoizedVocabularyOf = memoized(1000, vocabularyOf);

/** 0..1: whether the text has the word, another word for it, a form of it or a slip of the pen. `stem` is "" for a word without other forms. */
export function heldShare(
  { word, stem }: { word: string; stem: string },
  { stems, words, alike, outlines, negated }: Vocabulary,
): number {
  if (stem === "") return words.includes(word) ? 1 : 0;
  if (stems.has(stem)) return negated.has(stem) ? NEGATED : 1;
  for (const other of relatedStems(stem)) if (stems.has(other)) return negated.has(other) ? NEGATED : SYNONYM;
  if (stem.length < 4) return 0;
  const stemFirst = stem.charCodeAt(0);
  const stemLast = stem.charCodeAt(stem.length - 1);
  const wordFirst = word.charCodeAt(0);
  const wordLast = word.charCodeAt(word.length - 1);
  let best = 0;
  for (let at = 0, of = 0; at < alike.length; at++, of += OUTLINE) {
    // Most words differ at both ends, which neither a form nor one slip does. Written out: it runs for every word of every sentence.
    if (
      outlines[of] !== stemFirst &&
      outlines[of + 3] !== wordFirst &&
      (outlines[of + 1] !== stemLast || differs(stem.length - outlines[of + 2]!)) &&
      (outlines[of + 4] !== wordLast || differs(word.length - outlines[of + 5]!))
    )
      continue;
    const other = alike[at]!;
    const same = sameStart(stem, other.stem);
    const shorter = Math.min(stem.length, other.stem.length);
    const longer = Math.max(stem.length, other.stem.length);
    // Forms that the stemmer keeps apart: «выставили» and «выставляем», «индукция» and «индукционной».
    if (same >= 5 && same >= shorter - 1 && longer - same <= 4) {
      const ending = (stem.length > other.stem.length ? stem : other.stem).slice(same);
      best = Math.max(best, /^(?:н|ск|ов)/.test(ending) ? AKIN : SYNONYM);
    } else if (same >= 4 && same === shorter && longer - same <= 2) best = Math.max(best, SYNONYM);
    else if (stem.length >= 5 && other.stem.length >= 4 && isNear(stem, other.stem)) best = Math.max(best, SLIP);
    else if (word.length >= 5 && isNear(word, other.word)) best = Math.max(best, SLIP);
  }
  return best;
}

/** Numbers of one word and its stem in the outlines. */
const OUTLINE = 6;
const outlineOf = (word: string) => [word.charCodeAt(0), word.charCodeAt(word.length - 1), word.length];

/** One slip makes a word longer or shorter by a letter at most. */
const differs = (letters: number) => letters > 1 || letters < -1;
