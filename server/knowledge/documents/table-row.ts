/** Rows of tables written with bars: «| Роза | 220 |». */

/** Returns null when the line is no row. */
export function tableCells(line: string): string[] | null {
  const row = line.trim();
  if (!row.includes("|")) return null;
  const inner = row.startsWith("|") ? row.slice(1) : row;
  const cells = (inner.endsWith("|") ? inner.slice(0, -1) : inner).split("|").map((cell) => cell.trim());
  return cells.length < 2 ? null : cells;
}

/** The rule under a header row: «|---|:-:|». */
export const isHeaderRule = (line: string): boolean =>
  tableCells(line)?.every((cell) => /^:?-{1,40}:?$/.test(cell)) ?? false;
