/**
 * Reads exports in sandboxed processes. A file made to block its reader or exhaust memory ends only that process and its own import
 * (docs/decisions/018-untrusted-text.md).
 */

import type { ImportedMessage } from "#server/imports/formats/message.ts";
import { type Problem, unavailable, unprocessable } from "#server/platform/errors.ts";
import type { OpenedFile } from "#server/platform/files/file-store.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import type { Frame } from "#server/platform/sandbox/frames.ts";
import { type PooledProcess, ProcessPool } from "#server/platform/sandbox/process-pool.ts";
import { problemOf } from "#server/platform/sandbox/refusals.ts";
import { SandboxEnded } from "#server/platform/sandbox/sandbox.ts";
import { BLOCK_BYTES } from "./export-file.ts";
import { messagesOf } from "./messages-frame.ts";
import { ImportPreview } from "./preview.ts";
import type { ExportAnswer, ExportQuestion, Exports } from "./reader-process.ts";

interface ExportReaderLimits {
  /** Memory limit of one process: a letter may have 50 MB. */
  memoryBytes: number;
  /** Maximum milliseconds that a process may work without requesting a block and without an answer. */
  stepMs: number;
  startMs: number;
  idleMs: number;
  /** Number of reads after which a new process replaces this one. */
  reads: number;
}

const LIMITS: ExportReaderLimits = {
  memoryBytes: 768 * 1024 ** 2,
  stepMs: 60_000,
  startMs: 30_000,
  idleMs: 60_000,
  reads: 50,
};
/** CPU time limit of one reader process. An export of 2 GB takes about ten minutes. */
const CPU_SECONDS = 3600;
/** A message has at most 4 MB, which JSON escapes may enlarge six times; the preview of chats and people takes a few megabytes. */
const ANSWERS = { headerBytes: 64 * 1024, bodyBytes: 32 * 1024 ** 2 };
const PROGRAM = new URL("reader-process.ts", import.meta.url);

export interface NamedFile {
  /** @throws errors of the disk; Problem 503 */
  open: Opening;
  /** A hint for its chat's name. */
  name: string;
  /** Names the file in errors if an import has several. */
  label: string | null;
}

type Opening = () => Promise<OpenedFile>;

export class ExportReader {
  readonly #stepMs: number;
  readonly #processes: ProcessPool;
  #questions = 0;

  /** @param program replaces the reader program; only for tests */
  constructor(limits: Partial<ExportReaderLimits> = {}, program = PROGRAM) {
    const { stepMs, reads: uses, ...kept } = { ...LIMITS, ...limits };
    this.#stepMs = stepMs;
    this.#processes = new ProcessPool({
      ...kept,
      uses,
      file: program,
      answers: ANSWERS,
      cpuSeconds: CPU_SECONDS,
      background: true,
    });
  }

  /** Returns the name of the file's format. @throws Problem 413, 415, 422 for an unknown format; 503; errors of the disk */
  async recognise(open: Opening): Promise<string> {
    const files = [{ open, name: "", label: null }];
    let format: string | null = null;
    try {
      for await (const { header } of this.#read(files, { act: "recognise" })) {
        if ("format" in header) format = String(header.format);
      }
    } catch (error) {
      throw error instanceof SandboxEnded ? away(error) : error;
    }
    if (format === null) throw unreadable();
    return format;
  }

  /**
   * Reads the files once.
   * @param tell called repeatedly with the number of messages read; false: stop reading
   * @returns null when `tell` returned false
   * @throws Problem 413, 415, 422; SandboxEnded when no process starts; errors of the disk; the signal's reason
   */
  async preview(
    files: readonly NamedFile[],
    tell: (total: number) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<ImportPreview | null> {
    let preview: ImportPreview | null = null;
    for await (const { header, body } of this.#read(files, { act: "preview", signal })) {
      if ("ask" in header && !(await tell(header.total))) return null;
      if ("preview" in header) preview = ImportPreview.parse(JSON.parse(body.toString("utf8")));
    }
    if (preview === null) throw unreadable();
    return preview;
  }

  /** Yields the people's messages of these chats, in the same order each time. @throws as `preview` */
  async *messages(
    files: readonly NamedFile[],
    chats: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<ImportedMessage, void, void> {
    for await (const { header, body } of this.#read(files, { act: "messages", chats, signal })) {
      if ("messages" in header) yield* messagesOf(body);
    }
  }

  /** Yields recordings and pictures of the archives in the requested order; null for one that cannot be read. @throws as `preview` */
  async *attached(
    files: readonly NamedFile[],
    attached: Exports["attached"],
    signal: AbortSignal,
  ): AsyncGenerator<Buffer | null, void, void> {
    for await (const { header, body } of this.#read(files, { act: "attached", attached, signal })) {
      if ("attached" in header) yield body.length === 0 ? null : body;
    }
  }

  end(): void {
    this.#processes.end();
  }

  async *#read(
    named: readonly NamedFile[],
    { act, chats = [], attached = [], signal }: Reading,
  ): AsyncGenerator<Answer, void, void> {
    const files: OpenedFile[] = [];
    try {
      for (const { open } of named) files.push(await open());
      const exports: Exports = {
        files: named.map(({ name, label }, at) => ({ size: files[at]!.size, name, label })),
        chats: [...chats],
        attached,
      };
      const kept = await this.#begin({ question: ++this.#questions, act }, exports, signal);
      yield* this.#answersOf(kept, files, signal);
    } finally {
      await Promise.all(files.map((file) => file.close()));
    }
  }

  /** Waits for the first answer, because an idle process may have died, which is not this file's fault. */
  async #begin(question: ExportQuestion, exports: Exports, signal: AbortSignal | undefined): Promise<Begun> {
    const body = [Buffer.from(JSON.stringify(exports))];
    for (;;) {
      const kept = await this.#processes.take(signal);
      const release = kept.sandbox.watch(signal);
      try {
        kept.sandbox.send(question, body);
        return { kept, release, question: question.question, first: await kept.sandbox.receive(this.#stepMs) };
      } catch (error) {
        release();
        kept.sandbox.end();
        signal?.throwIfAborted();
        if (!(error instanceof SandboxEnded)) throw error;
        if (error.reason !== "crash" || kept.uses === 0) throw unreadable(error);
      }
    }
  }

  async *#answersOf(
    { kept, release, question, first }: Begun,
    files: readonly OpenedFile[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Answer, void, void> {
    const { sandbox } = kept;
    let ended = false;
    try {
      for (let frame = first; ; frame = await sandbox.receive(this.#stepMs)) {
        const header = frame.header as ExportAnswer;
        // Skips a request for bytes by an archive stream of an earlier file.
        if (header.question !== question) continue;
        if ("ask" in header) {
          const piece = await backgroundThrottle.beginPieceIfForeground();
          try {
            sandbox.send({ answer: header.ask }, [await bytesFor(header, files)]);
          } finally {
            piece.end();
          }
        }
        if ("problem" in header || "end" in header) ended = true;
        if ("problem" in header) throw problemOf(header.problem) ?? unreadable();
        if ("end" in header) return;
        yield { header, body: frame.body };
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof SandboxEnded ? unreadable(error) : error;
    } finally {
      release();
      // A process that is still inside a file cannot read the next one.
      if (ended) this.#processes.keep(kept);
      else sandbox.end();
    }
  }
}

interface Reading {
  act: ExportQuestion["act"];
  chats?: readonly string[];
  attached?: Exports["attached"];
  signal?: AbortSignal;
}

interface Begun {
  kept: PooledProcess;
  release: () => void;
  question: number;
  first: Frame;
}

type Answer = { header: ExportAnswer; body: Buffer };

async function bytesFor(
  { file, at, length }: { file: number; at: number; length: number },
  files: readonly OpenedFile[],
): Promise<Buffer> {
  const asked = files[file];
  if (asked === undefined || !(at >= 0) || !(length > 0 && length <= BLOCK_BYTES)) throw unreadable();
  return asked.read(at, length);
}

const away = (cause: SandboxEnded): Problem =>
  unavailable("reader_unavailable", "Сейчас файлы не читаются. Повторите загрузку через несколько минут", {
    cause,
    retryAfter: 60,
  });

function unreadable(cause?: SandboxEnded): Problem {
  const words =
    cause?.reason === "time"
      ? "Файл читался слишком долго, и мы остановились. Выгрузите переписку снова или по частям"
      : "Файл слишком сложный и не прочитан. Выгрузите переписку снова или по частям";
  return unprocessable("export_unreadable", words, { cause });
}

export const exportReader = new ExportReader();
