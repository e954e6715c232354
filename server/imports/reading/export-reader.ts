/**
 * Exports are read by sandboxed processes: a file made to hold up its reader, or to take all memory, ends that process and its own import
 * with a sentence, and nobody else notices (docs/decisions/018-untrusted-text.md).
 */
import { type Problem, unavailable, unprocessable } from "#server/platform/errors.ts";
import type { OpenedFile } from "#server/platform/files/file-store.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import type { Frame } from "#server/platform/sandbox/frames.ts";
import { type PooledProcess, ProcessPool } from "#server/platform/sandbox/process-pool.ts";
import { problemOf } from "#server/platform/sandbox/refusals.ts";
import { SandboxEnded } from "#server/platform/sandbox/sandbox.ts";
import type { ImportedMessage } from "../formats/message.ts";
import { BLOCK_BYTES } from "./export-file.ts";
import { messagesOf } from "./messages-frame.ts";
import { ImportPreview } from "./preview.ts";
import type { ExportAnswer, ExportQuestion, Exports } from "./reader-process.ts";

interface ExportReaderLimits {
  /** In memory, of one process: a letter may have 50 MB. */
  memoryBytes: number;
  /** Longest that a process may read without asking for the next block of its file, and without an answer. */
  stepMs: number;
  startMs: number;
  idleMs: number;
  /** Reads of one process before a new one takes its place. */
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

/** An export, wherever it lies, and what it is called. */
export interface NamedFile {
  /** @throws the disk's error; Problem 503 */
  open: Opening;
  /** A hint for its chat's name. */
  name: string;
  /** Names it in what could not be read, where there are several. */
  label: string | null;
}

type Opening = () => Promise<OpenedFile>;

export class ExportReader {
  readonly #stepMs: number;
  readonly #processes: ProcessPool;
  #questions = 0;

  /** @param program another one than the reader: in tests alone */
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

  /** The name of the format that a file is of. @throws Problem 413, 415, 422 for an unknown format; 503; the disk's error */
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
   * Reads it all once.
   * @param tell how many messages were read so far, again and again; false: stop reading
   * @returns null when `tell` said so
   * @throws Problem 413, 415, 422; SandboxEnded when no process begins; the disk's error; the signal's reason
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

  /** The people's messages of these chats, in the same order each time. @throws as `preview` */
  async *messages(
    files: readonly NamedFile[],
    chats: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<ImportedMessage, void, void> {
    for await (const { header, body } of this.#read(files, { act: "messages", chats, signal })) {
      if ("messages" in header) yield* messagesOf(body);
    }
  }

  /** Recordings and pictures of the archives, in the order in which they are asked for; null for one that cannot be read. @throws as `preview` */
  async *attached(
    files: readonly NamedFile[],
    attached: Exports["attached"],
    signal: AbortSignal,
  ): AsyncGenerator<Buffer | null, void, void> {
    for await (const { header, body } of this.#read(files, { act: "attached", attached, signal })) {
      if ("attached" in header) yield body.length === 0 ? null : body;
    }
  }

  /** Ends the idle processes. */
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

  /** With the first answer at hand: a process may have died while it was kept, which is no fault of this file. */
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
        // What an archive's stream has still asked for when its file was done with.
        if (header.question !== question) continue;
        if ("ask" in header) {
          const end = await backgroundThrottle.beginPieceIfForeground();
          try {
            sandbox.send({ answer: header.ask }, [await bytesFor(header, files)]);
          } finally {
            end();
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
      // In the midst of a file it is of no use to the next one.
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

/** That of this server. */
export const exportReader = new ExportReader();
