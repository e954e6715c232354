/**
 * Writes CSV for spreadsheets: RFC 4180 with CRLF, in UTF-8 with the byte order mark that Excel needs. Spreadsheets treat a cell that
 * begins with certain characters as a formula, and split cells by locale: a Russian one splits at semicolons and ignores the quotation
 * marks of comma-separated cells. Therefore no piece of a text may begin like a formula, wherever a program splits it.
 */

export type Cell = string | number | null;

export function csvOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${[header, ...rows].map((row) => row.map(cellOf).join(",")).join("\r\n")}\r\n`;
}

function cellOf(value: Cell): string {
  const text = typeof value === "number" ? String(value) : withoutFormulas(value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}

const FORMULA = new Set("=+-@＝＋－＠");
/** Characters at which some spreadsheet ends a cell or a row. */
const END = new Set(",;\n");
/** Characters that spreadsheets skip or remove before a formula: spaces, quotation marks, invisible characters. */
const SKIPPED = /[\s"\p{Cf}]/u;
const CONTROL = /\p{Cc}/u;

/** Puts an apostrophe before what would begin a formula. Tabs, which also separate cells, and other control characters become spaces. */
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

export function downloadCsv(name: string, csv: string) {
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser keeps the data once the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
