/** Search text behind a «/» at the start of the caret's line. */
export interface Slash {
  from: number;
  to: number;
  query: string;
}

/** Maximum length of the search text, longer than any title. */
const LONGEST = 40;

/** Returns null when the line does not begin with «/» or the text behind it is too long to be a search. */
export function slashAt(text: string, caret: number): Slash | null {
  const from = text.lastIndexOf("\n", caret - 1) + 1;
  if (caret <= from || text[from] !== "/") return null;
  const query = text.slice(from + 1, caret);
  return query.length > LONGEST || query.includes("/") ? null : { from, to: caret, query };
}
