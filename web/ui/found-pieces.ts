import { searchWords } from "#contract/knowledge/search-words.ts";

const IN_WORD = /[\p{L}\p{N}]/u;

const folded = (text: string) => text.toLowerCase().replace(/ё/g, "е");

/**
 * Splits the text at the search words, so that every second piece is a match. A match begins where a word begins: «алина» is not marked
 * in «Сахалина».
 * @param forms other forms of the search words, which are marked as the words themselves
 * @param within where a search word begins no word of the text, it is marked within words: for searches that find parts of words
 */
export function foundPieces(text: string, search: string, within = false, forms: readonly string[] = []): string[] {
  const words = [...searchWords(search), ...forms];
  if (words.length === 0) return [text];
  const pattern = words
    // The longest first: of «да» and «дата» at one place the whole word is marked.
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

/** Letters before the first mark that a line keeps; what stands before them would push the mark out of sight. */
const BEFORE_MARK = 24;

/** The text from a little before its first match on, so that one line shows the whole match. */
export function fromFirstMark(text: string, search: string): string {
  const [before = "", ...rest] = foundPieces(text, search, true);
  if (rest.length === 0 || before.length <= BEFORE_MARK) return text;
  const kept = before.slice(-BEFORE_MARK);
  return `…${kept.slice(kept.indexOf(" ") + 1)}${rest.join("")}`;
}
