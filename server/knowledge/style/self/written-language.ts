import { FUNCTION_WORDS } from "#server/knowledge/language/words/lexicon.ts";

export const WRITTEN_LANGUAGES = ["ru", "en", "uk"] as const;
export type WrittenLanguage = (typeof WRITTEN_LANGUAGES)[number];

/** Fewer words are a name or an exclamation, which every language has. */
const MIN_WORDS = 3;
const CYRILLIC = /^[а-яёіїєґ]/u;
const UKRAINIAN = /[іїєґ]/u;
const LATIN = /^[a-z]/u;

/**
 * Returns the language of a message; null for a short or mixed one, and for languages that are not recognised.
 * @param words as `wordsOf` returns them
 */
export function writtenLanguage(words: readonly string[]): WrittenLanguage | null {
  if (words.length < MIN_WORDS) return null;
  const cyrillic = words.filter((word) => CYRILLIC.test(word));
  if (cyrillic.length >= 0.7 * words.length) return cyrillic.some((word) => UKRAINIAN.test(word)) ? "uk" : "ru";
  const latin = words.filter((word) => LATIN.test(word));
  // Transliterated Russian has no function words of English.
  return latin.length >= 0.7 * words.length && latin.some((word) => FUNCTION_WORDS.has(word)) ? "en" : null;
}
