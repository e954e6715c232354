/** What stands behind a «/» at the start of the line in which the caret is. */
export interface Slash {
  /** Where the «/» stands, and the caret. */
  from: number;
  to: number;
  query: string;
}

/** Longer than any title that one would look for. */
const LONGEST = 40;

/** null where the line does not begin with «/», or what follows is no search any more. */
export function slashAt(text: string, caret: number): Slash | null {
  const from = text.lastIndexOf("\n", caret - 1) + 1;
  if (caret <= from || text[from] !== "/") return null;
  const query = text.slice(from + 1, caret);
  return query.length > LONGEST || query.includes("/") ? null : { from, to: caret, query };
}
