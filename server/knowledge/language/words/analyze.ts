// Turns text into the terms of both indexes. Texts repeat their words, so stems and n-grams are computed once per word and cached.
import snowball from "snowball-stemmers";
import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";
import { stopWords } from "./stop-words.ts";

/** Characters of an n-gram. Words are padded with one space each side, so `кот` gives ` кот` and `кот `. */
const gramLength = 4;

/** Longer runs of letters (links, base64, pasted keys) are truncated, because they would flood the dictionary with useless terms. */
const longestWord = 40;

/** Accents over letters, soft hyphens and zero-width characters: invisible to the reader, fatal to matching. */
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

/** The form in which words are compared: NFKC, lower case, `ё` as `е`, without accents and invisible characters. */
export function normalize(text: string): string {
  const lower = text.normalize("NFKC").toLowerCase().replaceAll("ё", "е");
  return invisible.test(lower) ? lower.replace(allInvisible, "") : lower;
}

/** The words of a text in order, normalised: runs of letters and digits, each at most 40 characters. */
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
 * The words of a text in their original spelling, if it consists of Russian and English letters only; null otherwise. Normalising such a
 * text does not move word boundaries, so a caller with a cache per word need not normalise each time.
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

/** The Snowball stem of a normalised word (Russian for Cyrillic, English for Latin), or "" for a stop word. */
export const stemOf = memoize(4 * MB, computeStem, (word) => 2 * estimateTextBytes(word));

function computeStem(word: string): string {
  if (stopWords.has(word)) return "";
  const first = word.charCodeAt(0);
  if (first >= 0x430 && first <= 0x44f) return stemmers.russian.stem(word);
  if (first >= 0x61 && first <= 0x7a) return stemmers.english.stem(word);
  return word;
}

/** Character 4-grams of one normalised word, padding included; a word of one or two letters is one shorter gram. */
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
