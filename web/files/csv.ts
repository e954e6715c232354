/**
 * Tables for spreadsheets: RFC 4180 with CRLF, in UTF-8 with the mark that Excel knows it by. A spreadsheet takes what begins with certain
 * signs for a formula, and it decides by its language what parts the cells: a Russian one cuts at semicolons, and reads a file whose cells
 * are parted by commas as if the quotation marks were not there. So no piece of a text may begin like a formula, wherever a program splits
 * it.
 */

export type Cell = string | number | null;

/** The first row names the columns. */
export function csvOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${[header, ...rows].map((row) => row.map(cellOf).join(",")).join("\r\n")}\r\n`;
}

function cellOf(value: Cell): string {
  const text = typeof value === "number" ? String(value) : withoutFormulas(value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}

const FORMULA = new Set("=+-@＝＋－＠");
/** Where some spreadsheet ends a cell or a row. */
const END = new Set(",;\n");
/** What is skipped before a formula, or taken away: blanks, quotation marks, invisible characters. */
const SKIPPED = /[\s"\p{Cf}]/u;
const CONTROL = /\p{Cc}/u;

/** Puts an apostrophe before what would begin a formula. Tabs, which also part cells, and other control characters become blanks. */
function withoutFormulas(value: string): string {
  let text = "";
  let begins = true;
  for (const char of value.replaceAll("\r\n", "\n").replaceAll("\r", "\n")) {
    const shown = char !== "\n" && CONTROL.test(char) ? " " : char;
    if (begins && FORMULA.has(shown)) text += "'";
    text += shown;
    begins = END.has(shown) || (begins && SKIPPED.test(shown));
  }
  return text;
}

/** Hands the file to the browser's downloads. */
export function downloadCsv(name: string, csv: string) {
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
