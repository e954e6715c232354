import { parse } from "csv-parse/sync";
import { unprocessable } from "#server/platform/errors.ts";

/** @throws Problem 422 for quotes that do not match */
export function csvText(csv: string): string {
  let rows: string[][];
  try {
    rows = parse(withoutDelimiterLine(csv), {
      bom: true,
      delimiter: delimiterOf(csv),
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    throw unprocessable("document_damaged", "Таблица CSV повреждена: проверьте кавычки", { cause: error });
  }
  return tableText(rows);
}

/**
 * Converts rows to «Заголовок: значение» lines with a blank line between rows. The first row with several values contains the headings; what
 * stands alone in the rows above it is the table's own heading.
 */
export function tableText(table: readonly (readonly string[])[]): string {
  const rows = table
    .map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()))
    .filter((row) => row.some((cell) => cell !== ""));
  const wide = rows.findIndex((row) => row.filter((cell) => cell !== "").length > 1);
  // A row with numbers is one of values, so what stands above it is its heading after all.
  const headed =
    wide < 0 ||
    wide === rows.length - 1 ||
    rows[wide]!.some((cell) => /^\d[\d\s.,%₽]*$/.test(cell) && !/^20\d\d$/.test(cell))
      ? 0
      : wide;
  const [first = [], ...body] = rows.slice(headed);
  const titles = headed > 0 ? rows.slice(0, headed).map((row) => `# ${row.join("")}`) : [];
  const headings = first.map((heading, column) => heading || `Столбец ${column + 1}`);
  if (body.length === 0) return [...titles, headings.join(", ")].join("\n\n");
  const lines = body.map((row) =>
    row
      .flatMap((cell, column) => (cell === "" ? [] : [`${headings[column] ?? `Столбец ${column + 1}`}: ${cell}`]))
      .join("\n"),
  );
  return [...titles, ...lines].join("\n\n");
}

/** Excel's own line above a table: «sep=;». */
const DELIMITER_LINE = /^\uFEFF?"?sep=(.)"?\r?(?:\n|$)/i;

export const withoutDelimiterLine = (csv: string): string => csv.replace(DELIMITER_LINE, "");

const DELIMITERS = [",", ";", "\t", "|"];
const LINES_READ = 10;

/** Returns the sign that stands equally often in most of the first lines: cells and a table's own heading may hold other signs. */
export function delimiterOf(csv: string): string {
  const [, stated] = DELIMITER_LINE.exec(csv) ?? [];
  if (stated !== undefined && DELIMITERS.includes(stated)) return stated;
  const lines = csv.split("\n", LINES_READ).map((line) => line.replace(/"[^"]*"/g, ""));
  const found = DELIMITERS.map((sign) => {
    const counts = lines.map((line) => line.split(sign).length - 1).filter((count) => count > 0);
    const [usual] = [...Map.groupBy(counts, (count) => count).values()].sort(
      (left, right) => right.length - left.length || right[0]! - left[0]!,
    );
    return { sign, lines: usual?.length ?? 0, count: usual?.[0] ?? 0 };
  });
  return found.sort((left, right) => right.lines - left.lines || right.count - left.count)[0]!.sign;
}
