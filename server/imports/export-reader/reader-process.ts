/** Runs in a sandbox, because the file may be made to exploit its reader. It has no file access; it asks the server for bytes. */

import { WHOLE_END } from "#server/imports/formats/ends.ts";
import type { ImportEvent } from "#server/imports/formats/message.ts";
import type { Frame } from "#server/platform/sandbox/frames.ts";
import { framePieces } from "#server/platform/sandbox/frames.ts";
import { type Refusal, refusalOf } from "#server/platform/sandbox/refusals.ts";
import { type Ask, serveRequests } from "#server/platform/sandbox/serve-requests.ts";
import { type ExportFile, inKeptBlocks } from "./export-file.ts";
import { rowOf } from "./messages-frame.ts";
import { PreviewBuilder } from "./preview.ts";
import { readAttached, readExport, recogniseExport } from "./read-export.ts";

/** Header of a question; its body is an `Exports` as JSON. */
export interface ExportQuestion {
  /** Id of the question, repeated in all its answers. */
  question: number;
  act: "recognise" | "preview" | "messages" | "attached";
}

export interface Exports {
  files: { size: number; name: string; label: string | null }[];
  /** For `messages`: ids of the chats. */
  chats: string[];
  /** For `attached`: names of recordings and pictures in one of the files. */
  attached: { file: number; names: string[] }[];
}

/**
 * Answers to a question. `ask` requests bytes of a file and reports `total` messages read. Bodies are the preview as JSON, messages as
 * `rowOf` writes them, or an attached file (empty if unreadable). `end` or `problem` comes last.
 */
export type ExportAnswer = { question: number } & (
  | { ask: number; file: number; at: number; length: number; total: number }
  | { format: string }
  | { preview: true }
  | { messages: true }
  | { attached: true }
  | { end: true }
  | { problem: Refusal }
);

const MESSAGES = 400;
const CHARS = 256 * 1024;

async function* answer({ header, body }: Frame, ask: Ask): AsyncGenerator<Uint8Array[], void, void> {
  const { question, act } = header as ExportQuestion;
  const { files, chats, attached } = JSON.parse(body.toString("utf8")) as Exports;
  const builder = new PreviewBuilder();
  const asked = files.map(({ size, ...named }, file) => ({
    ...named,
    file: inKeptBlocks({
      size,
      read: async (at, length) => (await ask({ question, file, at, length, total: builder.total })).body,
    }),
  }));
  try {
    if (act === "recognise") yield framePieces({ question, format: await recogniseExport(asked[0]!.file) });
    else if (act === "attached") {
      for (const { file, names } of attached) {
        for await (const bytes of readAttached(asked[file]!.file, names)) {
          yield framePieces({ question, attached: true }, bytes === null ? [] : [bytes]);
        }
      }
    } else if (act === "messages") {
      for await (const json of messagesIn(eventsOf(asked), new Set(chats))) {
        yield framePieces({ question, messages: true }, [Buffer.from(json)]);
      }
    } else {
      for await (const event of eventsOf(asked)) builder.add(event);
      yield framePieces({ question, preview: true }, [Buffer.from(JSON.stringify(builder.result()))]);
    }
    yield framePieces({ question, end: true });
  } catch (error) {
    yield framePieces({ question, problem: refusalOf(error) });
  }
}

interface NamedFile {
  file: ExportFile;
  /** A hint for its chat's name. */
  name: string;
  /** The uploaded file's name, if there are several. */
  label: string | null;
}

async function* eventsOf(files: readonly NamedFile[]): AsyncGenerator<ImportEvent, void, void> {
  let end: ImportEvent = WHOLE_END;
  for (const [place, { file, name, label }] of files.entries()) {
    for await (const event of readExport(file, { fileName: name })) {
      if (event.type === "rejected" && label !== null) {
        yield { ...event, file: event.file === undefined ? label : `${label}: ${event.file}` };
      } else if (event.type === "message" && event.message.attached !== undefined) {
        const attached = event.message.attached.map((each) => ({ ...each, file: place }));
        yield { ...event, message: { ...event.message, attached } };
      } else if (event.type !== "end") yield event;
      else if (event.incomplete) end = event;
    }
  }
  yield end;
}

async function* messagesIn(
  events: AsyncIterable<ImportEvent>,
  chats: ReadonlySet<string>,
): AsyncGenerator<string, void, void> {
  let rows: ReturnType<typeof rowOf>[] = [];
  let chars = 0;
  for await (const event of events) {
    if (event.type !== "message" || event.message.kind === "service" || !chats.has(event.message.chatId)) continue;
    rows.push(rowOf(event.message));
    chars += event.message.text.length;
    if (rows.length < MESSAGES && chars < CHARS) continue;
    yield JSON.stringify(rows);
    rows = [];
    chars = 0;
  }
  if (rows.length > 0) yield JSON.stringify(rows);
}

// The names of many chosen chats can take megabytes.
await serveRequests({ headerBytes: 64 * 1024, bodyBytes: 64 * 1024 ** 2 }, answer);
