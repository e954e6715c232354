// Reads an Excel workbook: each visible sheet as a table under its name, each value as Excel shows it.
import type { CellObject, Range } from "@e965/xlsx";
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge/knowledge.ts";
import { tooLarge, unprocessable } from "#server/platform/errors.ts";
import { tableText } from "../csv-text.ts";

/** More rows than fit into a document of the allowed length. */
const MOST_ROWS = 50_000;
/** The short dates of the reader's own computer are stored as the formats of the United States. */
const COMPUTERS_DATES = new Map([
  ["m/d/yy", 'dd"."mm"."yyyy'],
  ["m/d/yy h:mm", 'dd"."mm"."yyyy" "hh":"mm'],
]);
const LONG = 1e11;

/**
 * @returns a heading per sheet when several have text
 * @throws Problem 413 for more text than a document may have, 422 for a damaged or encrypted workbook
 */
export async function xlsxText(bytes: Buffer): Promise<{ text: string }> {
  // Lazy import: a reader that meets no workbook does not need the code.
  const { read, SSF, utils } = await import("@e965/xlsx");
  const workbook = (() => {
    try {
      return read(bytes, { type: "buffer", dense: true, cellNF: true, cellStyles: true, sheetRows: MOST_ROWS });
    } catch (error) {
      if (/password|encrypt/i.test(String(error)))
        throw unprocessable("document_encrypted", "Файл защищён паролем: снимите защиту и загрузите его снова");
      throw unprocessable("document_damaged", "Таблица Excel повреждена и не читается", { cause: error });
    }
  })();
  const sheets = workbook.SheetNames.flatMap((name, at) => {
    const sheet = workbook.Sheets[name];
    if (sheet === undefined || (workbook.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0) return [];
    const cells = sheet["!data"] ?? [];
    repeatMergedDownwards(cells, sheet["!merges"] ?? []);
    for (const cell of cells.flat()) {
      // Excel shows long numbers without a format by their first digits, but a tax number or a bar code is needed whole.
      if (typeof cell?.v === "number" && Number.isInteger(cell.v) && Math.abs(cell.v) >= LONG) cell.w = String(cell.v);
      const date = typeof cell?.z === "string" ? COMPUTERS_DATES.get(cell.z) : undefined;
      if (date !== undefined && typeof cell?.v === "number") cell.w = SSF.format(date, cell.v);
      if (typeof cell?.v === "boolean") cell.w = cell.v ? "да" : "нет";
    }
    // `raw: false`: values in their formats, as «15%» and «1 800 ₽».
    const rows = utils.sheet_to_json<unknown[]>(sheet, {
      header: 1,
      raw: false,
      defval: "",
      blankrows: false,
      skipHidden: true,
    });
    const text = tableText(rows.map((row) => row.map(String)));
    return text === "" ? [] : [{ name: name.trim(), text }];
  });
  if (sheets.reduce((sum, { text }) => sum + text.length, 0) > MAX_DOCUMENT_CHARS) {
    throw tooLarge("document_too_large", "Документ длиннее 500 000 символов: разделите его на части");
  }
  const isNamed = sheets.length > 1;
  return { text: sheets.map(({ name, text }) => (isNamed ? `# ${name}\n\n${text}` : text)).join("\n\n") };
}

/** A category that stands beside several rows belongs to each of them: a row is found and shown without its neighbours. */
function repeatMergedDownwards(rows: (CellObject | undefined)[][], merges: readonly Range[]): void {
  for (const { s: from, e: to } of merges) {
    const cell = rows[from.r]?.[from.c];
    if (cell === undefined) continue;
    for (let row = from.r + 1; row <= Math.min(to.r, rows.length - 1); row++) {
      rows[row] ??= [];
      rows[row]![from.c] = { ...cell };
    }
  }
}
