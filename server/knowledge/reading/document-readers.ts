/**
 * Documents are read and split by sandboxed processes, which all organisations share: each has one document read at a time, and they
 * take turns. A document that breaks its reader fails alone (docs/decisions/038-documents-are-read-apart.md).
 */
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge.ts";
import { type Problem, tooMany, unavailable, unprocessable } from "#server/errors.ts";
import type { Frame } from "#server/sandbox/frames.ts";
import { type KeptProcess, KeptProcesses } from "#server/sandbox/kept-processes.ts";
import { problemOf } from "#server/sandbox/refusals.ts";
import { type Sandbox, SandboxEnded } from "#server/sandbox/sandbox.ts";
import type { DocumentText } from "../read-document.ts";
import { type Passage, splitPassages } from "../split-passages.ts";
import { FairQueue } from "./fair-queue.ts";
import { HeldBytes } from "./held-bytes.ts";
import type { ReaderAnswer, ReaderQuestion } from "./reader-process.ts";

export interface ReaderLimits {
  /** Processes at once. */
  readers: number;
  /** Of one organisation, waiting for their turn. */
  waiting: number;
  /** Files of one organisation that the server's own memory holds until they are read: two of the largest, and their edges. */
  heldBytes: number;
  /** For one document. */
  readMs: number;
  /** In memory, of one process. */
  memoryBytes: number;
  /** For a process to load. */
  startMs: number;
  /** A process without work is kept so long. */
  idleMs: number;
  /** Documents that one process reads before a new one takes its place. */
  documents: number;
}

const PROGRAM = new URL("reader-process.ts", import.meta.url);
/** Passages repeat their headings, and JSON escapes what it must. */
const ANSWERS = { headerBytes: 64 * 1024, bodyBytes: 16 * 1024 ** 2 };

export const READER_LIMITS: ReaderLimits = {
  readers: 2,
  waiting: 20,
  heldBytes: 104 * 1024 ** 2,
  memoryBytes: 512 * 1024 ** 2,
  readMs: 30_000,
  startMs: 30_000,
  idleMs: 60_000,
  documents: 50,
};

/** A shorter text is split in a few milliseconds, sooner than it is sent. */
const SHORT_TEXT = 20_000;

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
  readonly #processes: KeptProcesses;
  readonly #held: HeldBytes;

  /** @param program another one than the reader: in tests alone */
  constructor(limits: Partial<ReaderLimits> = {}, program = PROGRAM) {
    this.#limits = { ...READER_LIMITS, ...limits };
    const { documents: uses, ...kept } = this.#limits;
    this.#processes = new KeptProcesses({ ...kept, uses, file: program, answers: ANSWERS });
    this.#held = new HeldBytes(this.#limits.heldBytes);
  }

  /** Processes that live without work. */
  get idlePids(): (number | undefined)[] {
    return this.#processes.idlePids;
  }

  /**
   * Takes a file as it comes and reads it.
   * @param isWhole asked at the end; throws when the file was cut
   * @throws Problem as `read`; 429 as well when the organisation's other files are too many already. The rest of the file is read and dropped
   */
  async receive(
    organizationId: string,
    name: string,
    file: AsyncIterable<Uint8Array>,
    isWhole: () => void,
  ): Promise<DocumentText> {
    const pieces: Uint8Array[] = [];
    let held = 0;
    let refused = false;
    try {
      for await (const piece of file) {
        refused ||= !this.#held.take(organizationId, piece.length);
        if (refused) {
          // What it held is for the others from now on.
          this.#held.giveBack(organizationId, held);
          held = 0;
          pieces.length = 0;
          continue;
        }
        held += piece.length;
        pieces.push(piece);
      }
      if (refused) throw waiting();
      isWhole();
      return await this.read(organizationId, name, pieces);
    } finally {
      this.#held.giveBack(organizationId, held);
    }
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
    if ("problem" in header) throw problemOf(header.problem) ?? unreadable();
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
    this.#processes.end();
  }

  #ask(
    organizationId: string,
    question: ReaderQuestion,
    body: readonly Uint8Array[],
    signal: AbortSignal | undefined,
  ): Promise<{ header: ReaderAnswer; body: Buffer }> {
    if (this.#queue.waiting(organizationId) >= this.#limits.waiting) throw waiting();
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
    for (let kept = this.#processes.idlePids.length > 0; ; kept = false) {
      const reader = await this.#start(work.signal);
      try {
        const { header, body } = await this.#exchange(reader.sandbox, work);
        this.#processes.keep(reader);
        return { header: header as ReaderAnswer, body };
      } catch (error) {
        reader.sandbox.end();
        if (!(error instanceof SandboxEnded)) throw error;
        if (error.reason !== "crash" || !kept) throw unreadable(error);
      }
    }
  }

  async #start(signal: AbortSignal | undefined): Promise<KeptProcess> {
    try {
      return await this.#processes.take(signal);
    } catch (cause) {
      throw cause instanceof SandboxEnded ? away(cause) : cause;
    }
  }

  #exchange(sandbox: Sandbox, { question, body, signal }: Work): Promise<Frame> {
    return sandbox.watched(this.#limits.readMs, signal, () => {
      sandbox.send(question, body);
      return sandbox.receive();
    });
  }
}

const waiting = (): Problem =>
  tooMany("documents_waiting", "Сейчас читаются другие ваши документы: дождитесь их и повторите загрузку", {
    retryAfter: 10,
  });

const away = (cause: SandboxEnded): Problem =>
  unavailable("reader_unavailable", "Сейчас документы не читаются. Повторите загрузку через несколько минут", {
    cause,
    retryAfter: 60,
  });

function unreadable(cause?: SandboxEnded): Problem {
  const words = "Файл слишком сложный и не прочитан: сохраните его как обычный текст и загрузите снова";
  return unprocessable("document_unreadable", words, { cause });
}

/** Those of this server. */
export const documentReaders = new DocumentReaders();
