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
