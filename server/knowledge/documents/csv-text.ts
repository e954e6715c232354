import { parse } from "csv-parse/sync";
import { unprocessable } from "#server/platform/errors.ts";

/** Converts a table to «Заголовок: значение» lines with a blank line between rows; the first row contains the headings. */
export function csvText(csv: string): string {
  let rows: string[][];
  try {
    rows = parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    throw unprocessable("document_damaged", "Таблица CSV повреждена: проверьте кавычки", { cause: error });
  }
  const [first = [], ...body] = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()));
  const headings = first.map((heading, column) => heading || `Столбец ${column + 1}`);
  if (body.length === 0) return headings.join(", ");
  return body
    .map((row) =>
      row
        .flatMap((cell, column) => (cell === "" ? [] : [`${headings[column] ?? `Столбец ${column + 1}`}: ${cell}`]))
        .join("\n"),
    )
    .filter((row) => row !== "")
    .join("\n\n");
}

export function delimiterOf(csv: string): string {
  const heading = (csv.split("\n", 1)[0] ?? "").replace(/"[^"]*"/g, "");
  const counts = [",", ";", "\t", "|"].map((sign) => ({ sign, count: heading.split(sign).length - 1 }));
  return counts.sort((left, right) => right.count - left.count)[0]!.sign;
}
