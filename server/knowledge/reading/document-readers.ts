/**
 * Documents are read and split by sandboxed processes, which all organisations share: each has one document read at a time, and they
 * take turns. A document that breaks its reader fails alone (docs/decisions/038-documents-are-read-apart.md).
 */
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge.ts";
import { Problem, tooMany, unavailable, unprocessable } from "#server/errors.ts";
import type { Frame } from "#server/sandbox/frames.ts";
import { Sandbox, SandboxEnded } from "#server/sandbox/sandbox.ts";
import type { DocumentText } from "../read-document.ts";
import { type Passage, splitPassages } from "../split-passages.ts";
import { FairQueue } from "./fair-queue.ts";
import type { ReaderAnswer, ReaderQuestion, RefusedDocument } from "./reader-process.ts";

export interface ReaderLimits {
  /** Processes at once. */
  readers: number;
  /** Of one organisation, waiting for their turn. */
  waiting: number;
  /** In memory, of one process. */
  memoryBytes: number;
  /** For one document. */
  readMs: number;
  /** For a process to load. */
  startMs: number;
  /** A process without work is kept so long. */
  idleMs: number;
  /** Documents that one process reads before a new one takes its place. */
  documents: number;
}

export const READER_LIMITS: ReaderLimits = {
  readers: 2,
  waiting: 20,
  memoryBytes: 512 * 1024 ** 2,
  readMs: 30_000,
  startMs: 30_000,
  idleMs: 60_000,
  documents: 50,
};

/** A shorter text is split in a few milliseconds, sooner than it is sent. */
const SHORT_TEXT = 20_000;
const PROGRAM = new URL("reader-process.ts", import.meta.url);

interface Reader {
  sandbox: Sandbox;
  documents: number;
  idle?: NodeJS.Timeout;
}

interface Work {
  organizationId: string;
  question: ReaderQuestion;
  body: readonly Uint8Array[];
  signal: AbortSignal | undefined;
  resolve: (answer: { header: ReaderAnswer; body: Buffer }) => void;
  reject: (error: unknown) => void;
}

export class DocumentReaders {
  readonly #limits: ReaderLimits;
  readonly #queue = new FairQueue<Work>();
  readonly #busy = new Set<string>();
  readonly #idle: Reader[] = [];

  readonly #program: URL;

  /** @param program another one than the reader: in tests alone */
  constructor(limits: Partial<ReaderLimits> = {}, program = PROGRAM) {
    this.#program = program;
    this.#limits = { ...READER_LIMITS, ...limits };
  }

  /** Processes that live without work. */
  get idlePids(): (number | undefined)[] {
    return this.#idle.map(({ sandbox }) => sandbox.pid);
  }

  /**
   * @param pieces the file's bytes in their order
   * @throws Problem 413, 415, 422 as `readDocument`; 422 as well for a file that takes too much time or memory; 429 when too many of
   * the organisation wait; 503 when no reader can be started
   */
  async read(
    organizationId: string,
    name: string,
    pieces: readonly Uint8Array[],
    signal?: AbortSignal,
  ): Promise<DocumentText> {
    const { header, body } = await this.#ask(organizationId, { read: { name: name.slice(-300) } }, pieces, signal);
    if ("problem" in header) throw asProblem(header.problem);
    const text = body.toString("utf8");
    if (!("document" in header) || text === "" || text.length > MAX_DOCUMENT_CHARS) throw unreadable();
    return { text, ...header.document };
  }

  /** @throws as `read`, but the signal's reason when it aborts */
  async split(organizationId: string, text: string, signal?: AbortSignal): Promise<Passage[]> {
    if (text.length <= SHORT_TEXT) return splitPassages(text);
    const { header, body } = await this.#ask(organizationId, { split: true }, [Buffer.from(text)], signal);
    if (!("passages" in header)) throw unreadable();
    return JSON.parse(body.toString("utf8")) as Passage[];
  }

  /** Ends the processes that nobody uses. */
  end(): void {
    for (const { sandbox, idle } of this.#idle.splice(0)) {
      clearTimeout(idle);
      sandbox.end();
    }
  }

  #ask(
    organizationId: string,
    question: ReaderQuestion,
    body: readonly Uint8Array[],
    signal: AbortSignal | undefined,
  ): Promise<{ header: ReaderAnswer; body: Buffer }> {
    if (this.#queue.waiting(organizationId) >= this.#limits.waiting) {
      const words = "Сейчас читаются другие ваши документы: дождитесь их и повторите загрузку";
      throw tooMany("documents_waiting", words, { retryAfter: 10 });
    }
    return new Promise((resolve, reject) => {
      const work: Work = { organizationId, question, body, signal, resolve, reject };
      this.#queue.add(organizationId, work);
      signal?.addEventListener(
        "abort",
        () => {
          if (this.#queue.remove(organizationId, work)) reject(signal.reason);
        },
        { once: true },
      );
      this.#next();
    });
  }

  #next(): void {
    if (this.#busy.size >= this.#limits.readers) return;
    const work = this.#queue.take(this.#busy);
    if (work === undefined) return;
    this.#busy.add(work.organizationId);
    this.#serve(work)
      .then(work.resolve, work.reject)
      .finally(() => {
        this.#busy.delete(work.organizationId);
        this.#next();
      });
    this.#next();
  }

  async #serve(work: Work): Promise<{ header: ReaderAnswer; body: Buffer }> {
    // A process that was kept may have died of what it read before: that is not this document's fault.
    for (let kept = this.#idle.length > 0; ; kept = false) {
      const reader = await this.#take(work.signal);
      try {
        const { header, body } = await this.#exchange(reader, work);
        this.#keep(reader);
        return { header: header as ReaderAnswer, body };
      } catch (error) {
        reader.sandbox.end();
        if (!(error instanceof SandboxEnded)) throw error;
        if (error.reason !== "crash" || !kept) throw unreadable(error);
      }
    }
  }

  #exchange({ sandbox }: Reader, { question, body, signal }: Work): Promise<Frame> {
    return sandbox.watched(this.#limits.readMs, signal, () => {
      sandbox.send(question, body);
      return sandbox.receive();
    });
  }

  async #take(signal: AbortSignal | undefined): Promise<Reader> {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      clearTimeout(kept.idle);
      if (kept.sandbox.alive) return kept;
    }
    const sandbox = new Sandbox({
      file: this.#program,
      memoryBytes: this.#limits.memoryBytes,
      // Passages repeat their headings, and JSON escapes what it must.
      answers: { headerBytes: 64 * 1024, bodyBytes: 16 * 1024 ** 2 },
    });
    try {
      await sandbox.watched(this.#limits.startMs, signal, () => sandbox.ready());
    } catch (cause) {
      sandbox.end();
      if (!(cause instanceof SandboxEnded)) throw cause;
      throw unavailable(
        "reader_unavailable",
        "Сейчас документы не читаются. Повторите загрузку через несколько минут",
        {
          cause,
          retryAfter: 60,
        },
      );
    }
    return { sandbox, documents: 0 };
  }

  #keep(reader: Reader): void {
    reader.documents++;
    const { sandbox } = reader;
    if (reader.documents >= this.#limits.documents) {
      sandbox.end();
      return;
    }
    reader.idle = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(reader), 1);
      sandbox.end();
    }, this.#limits.idleMs).unref();
    this.#idle.push(reader);
  }
}

function unreadable(cause?: SandboxEnded): Problem {
  const words = "Файл слишком сложный и не прочитан: сохраните его как обычный текст и загрузите снова";
  return unprocessable("document_unreadable", words, { cause });
}

/** The process speaks for a stranger's file: it may refuse, and nothing else. */
function asProblem({ status, code, message, detail }: RefusedDocument): Problem {
  if (![413, 415, 422].includes(status)) return unreadable();
  return new Problem(status, String(code), String(message), detail === undefined ? {} : { detail: String(detail) });
}

/** Those of this server. */
export const documentReaders = new DocumentReaders();
