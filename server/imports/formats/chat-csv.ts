// Reads a table of messages with a heading row from any program: «Дата;Автор;Сообщение», "date,from,to,text".
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { parse as parseRows } from "csv-parse/sync";
import { timestampOf } from "#contract/conversations/pasted-lines.ts";
import { delimiterOf, withoutDelimiterLine } from "#server/knowledge/documents/csv-text.ts";
import { decodeText } from "#server/knowledge/documents/decode-text.ts";
import { localClock, parseStamp, type WallClockTime } from "#server/knowledge/messages/wall-clock-time.ts";
import { CUT_END, type ImportEnd, WHOLE_END } from "./ends.ts";
import {
  cleanName,
  DEFAULT_TIME_ZONE,
  type ExportFormat,
  HEAD_BYTES,
  type ImportedMessage,
  isStorable,
  MAX_MESSAGE_BYTES,
  reasons,
} from "./message.ts";
import { NamedChats } from "./parts/named-chats.ts";
import { decodeStream, peekHead } from "./parts/stream-head.ts";

const HEADINGS = {
  text: /^(?:text|message|body|content|сообщение|текст|реплика)$/i,
  author: /^(?:author|from|sender|user|name|автор|от|от кого|отправитель|имя|кто)$/i,
  time: /^(?:date|time|datetime|timestamp|sent|sent at|sent_at|дата|время|дата и время|когда)$/i,
  chat: /^(?:chat|dialog|dialogue|conversation|channel|room|чат|диалог|беседа|переписка)$/i,
  id: /^(?:id|message id|message_id)$/i,
};
type Column = keyof typeof HEADINGS;

interface Table {
  delimiter: string;
  columns: Record<Column, number>;
  /** Number of the line with the columns' names, from 1. */
  line: number;
}

const HEADING_LINES = 5;

export const chatCsv: ExportFormat = {
  name: "chat-csv",
  detect: (head) => tableOf(head) !== null,
  async *read(source, options = {}) {
    const clock = localClock(options.timeZone ?? DEFAULT_TIME_ZONE);
    const { head, all } = await peekHead(source);
    const table = tableOf(head);
    if (table === null) {
      await all.return();
      yield { type: "end", incomplete: true, error: "В таблице нет столбцов «автор» и «сообщение»" };
      return;
    }
    const chats = new NamedChats(options.fileName ?? "");
    const rows = Readable.from(decodeStream(all)).pipe(
      parse({
        ...LENIENT,
        delimiter: table.delimiter,
        max_record_size: MAX_MESSAGE_BYTES,
        from_line: table.line + 1,
        info: true,
      }),
    );
    try {
      for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
        const cell = (column: Column) => record[table.columns[column]] ?? "";
        const line = info.lines;
        const author = cleanName(cell("author"));
        if (author === "" || !isStorable(cell("text"))) {
          yield { type: "rejected", line, reason: author === "" ? "В строке не указан автор" : reasons.notStorable };
          continue;
        }
        const chat = chats.take(cleanName(cell("chat")));
        if (chat.told !== null) yield { type: "chat", chat: chat.told };
        yield { type: "message", message: messageOf(cell, { chatId: chat.id, author, line, clock }) };
      }
      yield WHOLE_END;
    } catch (error) {
      yield endOf(error);
    } finally {
      rows.destroy();
    }
  },
};

const LENIENT = { bom: true, relax_quotes: true, relax_column_count: true, skip_empty_lines: true };

function tableOf(head: Buffer): Table | null {
  const text = decodeText(head.subarray(0, HEAD_BYTES))?.replace(/^\uFEFF/, "");
  if (text === undefined) return null;
  const lines = text.split("\n", HEADING_LINES);
  const stated = withoutDelimiterLine(lines[0]!) === "" ? delimiterOf(lines[0]!) : null;
  for (const [at, heading] of lines.entries()) {
    const delimiter = stated ?? delimiterOf(heading);
    const columns = heading.length > 1000 ? null : columnsOf(heading, delimiter);
    if (columns !== null) return { delimiter, columns, line: at + 1 };
    // Only the table's own heading, which fills one cell, or Excel's «sep=;» may stand above the names of the columns.
    if (heading.split(delimiter).filter((cell) => cell.trim() !== "").length > 1) return null;
  }
  return null;
}

function columnsOf(heading: string, delimiter: string): Table["columns"] | null {
  let names: string[];
  try {
    names = parseRows(heading, { ...LENIENT, delimiter })[0] ?? [];
  } catch {
    return null;
  }
  const columns = Object.fromEntries(
    Object.entries(HEADINGS).map(([column, pattern]) => [column, names.findIndex((name) => pattern.test(name.trim()))]),
  ) as Table["columns"];
  return columns.text >= 0 && columns.author >= 0 ? columns : null;
}

interface Place {
  chatId: string;
  author: string;
  line: number;
  clock: (local: WallClockTime) => Date | null;
}

function messageOf(cell: (column: Column) => string, { chatId, author, line, clock }: Place): ImportedMessage {
  const [id, text] = [cell("id"), cell("text")];
  return {
    chatId,
    externalId: id !== "" && isStorable(id) ? id.slice(0, 300) : null,
    authorId: author,
    authorName: author,
    sentAt: timeOf(cell("time").trim(), clock),
    text,
    replyTo: null,
    kind: text.trim() === "" ? "media" : "text",
    line,
  };
}

/** Parses seconds or milliseconds since 1970, a time with its zone, or a local time. */
function timeOf(written: string, clock: Place["clock"]): Date | null {
  if (/^\d{10}(?:\d{3})?$/.test(written)) return new Date(Number(written.padEnd(13, "0")));
  if (/^\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(written)) {
    const at = new Date(written.replace(" ", "T"));
    return Number.isNaN(at.getTime()) ? null : at;
  }
  const stamp = timestampOf(written);
  return stamp === null ? null : clock(parseStamp(stamp));
}

/** @throws errors that are not the file's fault */
function endOf(error: unknown): ImportEnd {
  if (!(error instanceof CsvError)) throw error;
  return error.code === "CSV_MAX_RECORD_SIZE" ? { ...CUT_END, error: "В таблице есть строка больше 4 МБ" } : CUT_END;
}
