import { normalize, stemOf } from "#server/knowledge/language/words/analyze.ts";
import { FUNCTION_WORDS, wordsOf } from "#server/knowledge/language/words/lexicon.ts";

/** Roots shared by words of one family: «доставка» and «доставляем», «вернём» and «вернут». Function words have none. */
export const rootsOf = (text: string): string[] =>
  wordsOf(normalize(text)).flatMap((word) => {
    if (FUNCTION_WORDS.has(word) || (word.length < 3 && !/\d/.test(word))) return [];
    return [rootOf(word)];
  });

const ROOT = 5;
export function rootOf(word: string): string {
  const stem = stemOf(word);
  return stem.length > ROOT && !/\d/.test(stem) ? stem.slice(0, ROOT) : stem;
}
