/** The words of a sentence or heading, and how well they match the words of a question. */
import { copyString, estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";
import { words as plainWords, stemOf } from "../words/analyze.ts";
import { FUNCTION_WORDS } from "../words/lexicon.ts";
import { relatedStems } from "../words/synonyms.ts";
import { namesMaintenance } from "../words/trade-words.ts";
import { commonPrefixLength, differByOneTypo, joinedNumbers } from "./question-parts.ts";

export interface Vocabulary {
  /** Words denied by the text: «без печати». */
  negated: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  words: readonly string[];
  /** Distinct longer content words, each followed by its stem, for matching other word forms and misspellings. */
  alike: readonly string[];
  /**
   * First and last letter and length of the stem and the word, six characters per word of `alike`: a cheap test that excludes most words.
   * It is a string, because thousands of sentences are cached and a typed array has an overhead of 200 bytes.
   */
  outlines: string;
}

const WITHOUT = new Set(["без", "кроме", "without"]);
const NEGATED = 0.4;
const SYNONYM = 0.85;
/** Score of an adjective derived from the noun: a guitar amplifier is no guitar. */
const AKIN = 0.65;
const SLIP = 0.8;
const NONE: ReadonlySet<string> = new Set();

/** Shares one string per word, because most words occur in many sentences. */
const shared = memoize(2 * MB, copyString, estimateTextBytes);

export function vocabularyOf(text: string): Vocabulary {
  const all = plainWords(joinedNumbers(text)).map(shared);
  // Drops the pronoun «то», because a question may ask for «ТО» in the sense of maintenance.
  const words = all.includes("то") && !namesMaintenance(text) ? all.filter((word) => word !== "то") : all;
  const stems = words.map(stemOf);
  const isWithout = (stem: string, i: number) => stem !== "" && i > 0 && WITHOUT.has(words[i - 1]!);
  const without = stems.filter(isWithout);
  const kept = without.length === 0 ? NONE : new Set(stems.filter((stem, i) => !isWithout(stem, i)));
  const long = new Set(words.filter((word) => word.length >= 4 && !FUNCTION_WORDS.has(word)));
  const alike = [...long].flatMap((word) => [word, stemOf(word)]);
  return {
    words,
    alike,
    outlines: [...long].map((word) => outlineOf(stemOf(word)) + outlineOf(word)).join(""),
    stems: new Set(stems.filter((stem) => stem !== "")),
    negated: without.length === 0 ? NONE : new Set(without.filter((stem) => !kept.has(stem))),
  };
}

/** Memoised for texts that many sentences share, such as a document's name. */
export const memoizedVocabularyOf = memoize(1000, vocabularyOf);

/** Returns 0..1: whether the text has the word, a synonym, another form or a misspelling. `stem` is "" for a word without other forms. */
export function matchWord(
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
  for (let at = 0, of = 0; at < alike.length; at += 2, of += OUTLINE) {
    // Most words differ at both ends, which neither a form nor a single slip does. Inlined, because it runs for every word of every
    // sentence.
    if (
      outlines.charCodeAt(of) !== stemFirst &&
      outlines.charCodeAt(of + 3) !== wordFirst &&
      (outlines.charCodeAt(of + 1) !== stemLast || differs(stem.length - outlines.charCodeAt(of + 2))) &&
      (outlines.charCodeAt(of + 4) !== wordLast || differs(word.length - outlines.charCodeAt(of + 5)))
    )
      continue;
    const otherWord = alike[at]!;
    const otherStem = alike[at + 1]!;
    const same = commonPrefixLength(stem, otherStem);
    const shorter = Math.min(stem.length, otherStem.length);
    const longer = Math.max(stem.length, otherStem.length);
    // Forms that the stemmer keeps apart: «выставили» and «выставляем», «индукция» and «индукционной».
    if (same >= 5 && same >= shorter - 1 && longer - same <= 4) {
      const ending = (stem.length > otherStem.length ? stem : otherStem).slice(same);
      best = Math.max(best, /^(?:н|ск|ов)/.test(ending) ? AKIN : SYNONYM);
    } else if (same >= 4 && same === shorter && longer - same <= 2) best = Math.max(best, SYNONYM);
    else if (stem.length >= 5 && otherStem.length >= 4 && differByOneTypo(stem, otherStem)) best = Math.max(best, SLIP);
    else if (word.length >= 5 && differByOneTypo(word, otherWord)) best = Math.max(best, SLIP);
  }
  return best;
}

const OUTLINE = 6;
/** A stem may be empty; no letter has the code 0. */
const outlineOf = (word: string) =>
  String.fromCharCode(word.charCodeAt(0) || 0, word.charCodeAt(word.length - 1) || 0, word.length);

/** One slip changes the length by at most one letter. */
const differs = (letters: number) => letters > 1 || letters < -1;
