import { isFirstName } from "#server/knowledge/language/words/first-names.ts";
import { findPhrases, placesOf, wordsOf } from "#server/knowledge/language/words/lexicon.ts";

const MAX_CHARS = 60;
const MAX_WORDS = 6;
/** Numbers, addresses and questions belong to the message. */
const OF_THE_MESSAGE = /[\d@?]|:\/\//u;
const CLOSING =
  /^(?:с (?:глубоким |большим )?уважением|с наилучшими(?: пожеланиями)?|искренне ваша?|всегда ваша?|(?:best|kind|warm)(?: kind)? regards|regards|best|sincerely(?: yours)?|yours)(?!\p{L})/iu;

/**
 * Returns the last line of a message, with a closing such as «С уважением,» above it, if both may be a signature; null otherwise. Whether
 * it is one shows only when it recurs.
 */
export function signatureOf(text: string): string | null {
  const lines = text
    .slice(-4 * MAX_CHARS)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const last = lines.at(-1);
  if (lines.length < 2 || last === undefined || !mayBeSigned(last)) return null;
  const above = lines.at(-2)!;
  // With the closing there must be a message above it.
  if (lines.length > 2 && CLOSING.test(above) && mayBeSigned(above)) return `${above}\n${last}`;
  return CLOSING.test(last) || hasName(last) ? last : null;
}

function mayBeSigned(line: string): boolean {
  if (line.length > MAX_CHARS || OF_THE_MESSAGE.test(line)) return false;
  const words = wordsOf(line);
  return words.length > 0 && words.length <= MAX_WORDS;
}

/** «Спасибо, Мария» thanks its reader, so a line with a set phrase is none. */
function hasName(line: string): boolean {
  const words = wordsOf(line);
  const { typed } = placesOf(line);
  const named = words.some((word, at) => typed[at]![0] !== typed[at]![0]!.toLowerCase() && isFirstName(word, true));
  return named && findPhrases(words).length === 0;
}
