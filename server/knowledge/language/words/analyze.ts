// Converts text to the terms of both indexes. Stems and n-grams are cached per word, because texts repeat their words.
import snowball from "snowball-stemmers";
import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";
import { stopWords } from "./stop-words.ts";

/** Characters of an n-gram. Words are padded with one space on each side, so `кот` gives ` кот` and `кот `. */
const gramLength = 4;

/** Longer runs of letters (links, base64, pasted keys) are truncated, because they would flood the dictionary with useless terms. */
const longestWord = 40;

/** Combining accents, soft hyphens and zero-width characters: invisible, but they prevent matching. */
const invisible = /[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]/;
const allInvisible = new RegExp(invisible, "g");

const unknown = 0;
const inWord = 1;
const between = 2;
const characterKinds = new Uint8Array(65536);

function isWordCharacter(code: number): boolean {
  let kind = characterKinds[code]!;
  if (kind === unknown) {
    kind = /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? inWord : between;
    characterKinds[code] = kind;
  }
  return kind === inWord;
}

/** Returns the form used for comparison: NFKC, lower case, `ё` as `е`, without accents and invisible characters. */
export function normalize(text: string): string {
  const lower = text.normalize("NFKC").toLowerCase().replaceAll("ё", "е");
  return invisible.test(lower) ? lower.replace(allInvisible, "") : lower;
}

/** Returns the normalised words in order: runs of letters and digits, each at most 40 characters. */
export function words(text: string): string[] {
  const normal = normalize(text);
  const found: string[] = [];
  let start = -1;
  for (let at = 0; at < normal.length; at++) {
    if (isWordCharacter(normal.charCodeAt(at))) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      found.push(normal.slice(start, Math.min(at, start + longestWord)));
      start = -1;
    }
  }
  if (start >= 0) found.push(normal.slice(start, start + longestWord));
  return found;
}

const plainKinds = new Uint8Array(65536);
for (let code = 0; code < 128; code++) plainKinds[code] = isWordCharacter(code) ? inWord : between;
for (let code = 0x410; code <= 0x44f; code++) plainKinds[code] = inWord;
for (const letter of "Ёё") plainKinds[letter.charCodeAt(0)] = inWord;
for (const mark of "\u00a0«»–—‘’‚“”„…") plainKinds[mark.charCodeAt(0)] = between;

/**
 * Returns the words in their original spelling if the text has only Russian and English letters; null otherwise. Normalisation does not
 * move word boundaries in such a text, so a caller with a cache per word can skip it.
 */
export function plainWords(text: string): string[] | null {
  const found: string[] = [];
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const kind = plainKinds[text.charCodeAt(at)];
    if (kind === unknown) return null;
    if (kind === inWord) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      found.push(text.slice(start, Math.min(at, start + longestWord)));
      start = -1;
    }
  }
  if (start >= 0) found.push(text.slice(start, start + longestWord));
  return found;
}

const stemmers = { russian: snowball.newStemmer("russian"), english: snowball.newStemmer("english") };

/** Returns the Snowball stem of a normalised word (Russian for Cyrillic, English for Latin), or "" for a stop word. */
export const stemOf = memoize(4 * MB, computeStem, (word) => 2 * estimateTextBytes(word));

function computeStem(word: string): string {
  if (stopWords.has(word)) return "";
  const first = word.charCodeAt(0);
  if (first >= 0x430 && first <= 0x44f) return stemmers.russian.stem(word);
  if (first >= 0x61 && first <= 0x7a) return stemmers.english.stem(word);
  return word;
}

/** Character 4-grams of one normalised word, including padding; a word of one or two letters gives one shorter gram. */
export const gramsOf: (word: string) => readonly string[] = memoize(
  3 * MB,
  computeGrams,
  (word, grams) => estimateTextBytes(word) + 16 + 32 * grams.length,
);

function computeGrams(word: string): readonly string[] {
  const padded = ` ${word} `;
  if (padded.length <= gramLength) return [padded];
  const grams: string[] = [];
  for (let at = 0; at + gramLength <= padded.length; at++) grams.push(padded.slice(at, at + gramLength));
  return grams;
}
