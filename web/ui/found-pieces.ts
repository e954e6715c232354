import { searchWords } from "#contract/knowledge/search-words.ts";

const IN_WORD = /[\p{L}\p{N}]/u;

const folded = (text: string) => text.toLowerCase().replace(/ё/g, "е");

/**
 * Splits the text at the search words, so that every second piece is a match. A match begins at the beginning of a word: «алина» does not
 * match inside «Сахалина».
 * @param forms other forms of the search words, which match too
 * @param within also match inside words when no word begins with the search word, for searches that find parts of words
 */
export function foundPieces(text: string, search: string, within = false, forms: readonly string[] = []): string[] {
  const words = [...searchWords(search), ...forms];
  if (words.length === 0) return [text];
  const pattern = words
    // Longer words first, so that «дата» is preferred to «да» at the same place.
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[её]/gi, "[её]"))
    .join("|");
  const parts = text.split(new RegExp(`(${pattern})`, "gi"));
  const begins = (place: number) => {
    const before = parts[place - 1] || parts[place - 2] || "";
    return !IN_WORD.test(before.slice(-1)) || !IN_WORD.test(parts[place]!.charAt(0));
  };
  const beginning = new Set(parts.filter((_, place) => place % 2 === 1 && begins(place)).map(folded));
  const pieces = [parts[0]!];
  for (let place = 1; place < parts.length; place += 2) {
    const [match, rest] = [parts[place]!, parts[place + 1]!];
    if (begins(place) || (within && !beginning.has(folded(match)))) pieces.push(match, rest);
    else pieces.push(pieces.pop() + match + rest);
  }
  return pieces;
}

/** Characters kept before the first match; more of them would push the match out of view. */
const BEFORE_MARK = 24;

/** Returns the text from shortly before its first match, so that one line shows the whole match. */
export function fromFirstMark(text: string, search: string): string {
  const [before = "", ...rest] = foundPieces(text, search, true);
  if (rest.length === 0 || before.length <= BEFORE_MARK) return text;
  const kept = before.slice(-BEFORE_MARK);
  return `…${kept.slice(kept.indexOf(" ") + 1)}${rest.join("")}`;
}
