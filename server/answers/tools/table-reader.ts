/** Reads an uploaded table, or the one at an address: in the sandboxed reader of documents, as strangers' files are. */
import { createHash } from "node:crypto";
import { TABLE_BYTES_LIMIT, TABLE_COLUMNS_LIMIT, TABLE_ROWS_LIMIT } from "#contract/actions/tool-settings.ts";
import { documentReaders } from "#server/knowledge/documents/document-readers.ts";
import { Problem, unprocessable } from "#server/platform/errors.ts";
import { proxyFailureOf } from "#server/platform/network/proxy-failure.ts";
import { fetchOwnersFile, type OwnersFile } from "./fetch-owners-file.ts";

export interface ReadTable {
  columns: string[];
  rows: string[][];
  contentHash: string;
}

const MAX_CELL = 500;
const NO_TABLE = "Файл не\u00a0читается как таблица. Нужен CSV или xlsx";

/** @throws Problem 413, 422, 429, 503 */
export async function readTableFile(organizationId: string, name: string, bytes: Buffer): Promise<ReadTable> {
  try {
    return await readBytes(organizationId, name, bytes);
  } catch (error) {
    // The reader of documents names the kinds that it takes, which are more.
    if (error instanceof Problem && error.status === 415) throw unreadable(NO_TABLE, error);
    throw error;
  }
}

async function readBytes(organizationId: string, name: string, bytes: Buffer): Promise<ReadTable> {
  const { text, mime } = await documentReaders.read(organizationId, name, [bytes]);
  if (!/csv|spreadsheet/.test(mime)) throw unreadable(NO_TABLE);
  return tableIn(text);
}

/** @throws Problem 422 with the reason for the owner */
export async function readTableAt(
  organizationId: string,
  url: URL,
  way: Pick<OwnersFile, "loopback" | "proxy">,
): Promise<ReadTable> {
  const bytes = await fetchOwnersFile(url, {
    ...{ accept: "text/csv", maxBytes: TABLE_BYTES_LIMIT, unreadable, ...way },
    words: {
      tooLong: "Таблица больше 700 КБ",
      silent: "Адрес таблицы не отвечает",
      failed: (status) => `Адрес таблицы ответил ошибкой ${status}`,
    },
  });
  try {
    return await readBytes(organizationId, "table.csv", bytes);
  } catch (error) {
    if (error instanceof Problem && error.code === "tool_table_unreadable") throw error;
    throw unreadable("По адресу не таблица CSV", error);
  }
}

export const unreadable = (words: string, cause?: unknown): Problem =>
  unprocessable("tool_table_unreadable", words, { cause, ...(proxyFailureOf(cause) && { fields: { proxy: words } }) });

/**
 * The reader writes a row as «Заголовок: значение» lines with a blank line between rows, and leaves empty cells out
 * (knowledge/documents/csv-text.ts).
 */
export function tableIn(text: string): ReadTable {
  const columns: string[] = [];
  const rows: string[][] = [];
  for (const block of text.split("\n\n")) {
    const cells: string[] = [];
    for (const line of block.split("\n")) {
      if (line.startsWith("# ")) continue;
      const at = line.indexOf(": ");
      if (at <= 0) continue;
      const column = line.slice(0, at).slice(0, 100);
      let place = columns.indexOf(column);
      if (place < 0 && columns.length < TABLE_COLUMNS_LIMIT) place = columns.push(column) - 1;
      if (place >= 0) cells[place] = line.slice(at + 2, at + 2 + MAX_CELL).toWellFormed();
    }
    if (cells.length > 0) rows.push(cells);
    if (rows.length > TABLE_ROWS_LIMIT) throw unreadable(`В таблице больше ${TABLE_ROWS_LIMIT} строк`);
  }
  if (rows.length === 0 || columns.length < 2) throw unreadable("В таблице нет строк с данными");
  const whole = rows.map((row) => columns.map((_, place) => row[place] ?? ""));
  const contentHash = createHash("sha256")
    .update(JSON.stringify([columns, whole]))
    .digest("hex");
  return { columns, rows: whole, contentHash };
}
