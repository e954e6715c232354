import { searchWords } from "#contract/knowledge/search-words.ts";

/** Splits the text at the search words, so that every second piece is a match. */
export function foundPieces(text: string, search: string): string[] {
  const words = searchWords(search);
  if (words.length === 0) return [text];
  const pattern = words
    // The longest first: of «да» and «дата» at one place the whole word is marked.
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[её]/gi, "[её]"))
    .join("|");
  return text.split(new RegExp(`(${pattern})`, "gi"));
}

/** Letters before the first mark that a line keeps; what stands before them would push the mark out of sight. */
const BEFORE_MARK = 24;

/** The text from a little before its first match on, so that one line shows the whole match. */
export function fromFirstMark(text: string, search: string): string {
  const [before = "", ...rest] = foundPieces(text, search);
  if (rest.length === 0 || before.length <= BEFORE_MARK) return text;
  const kept = before.slice(-BEFORE_MARK);
  return `…${kept.slice(kept.indexOf(" ") + 1)}${rest.join("")}`;
}
