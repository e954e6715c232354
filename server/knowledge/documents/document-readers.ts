/**
 * Reads and splits documents in sandboxed processes that all organisations share. Each organisation has one document read at a time, in
 * turns. A document that crashes its reader fails alone (docs/decisions/018-untrusted-text.md).
 */
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge/knowledge.ts";
import { type Problem, tooMany, unavailable, unprocessable } from "#server/platform/errors.ts";
import type { Frame } from "#server/platform/sandbox/frames.ts";
import { type PooledProcess, ProcessPool } from "#server/platform/sandbox/process-pool.ts";
import { problemOf } from "#server/platform/sandbox/refusals.ts";
import { type Sandbox, SandboxEnded } from "#server/platform/sandbox/sandbox.ts";
import type { PageFacts } from "./page-facts.ts";
import type { DocumentText } from "./read-document.ts";
import { ByteQuota } from "./reader-pool/byte-quota.ts";
import type { ReaderAnswer, ReaderQuestion } from "./reader-pool/reader-process.ts";
import { RoundRobinQueue } from "./reader-pool/round-robin-queue.ts";
import { type Chunk, splitChunks } from "./split-chunks.ts";

export interface ReaderLimits {
  readers: number;
  waiting: number;
  /** Maximum bytes of one organisation's waiting files in the server's memory: two of the largest files and some margin. */
  heldBytes: number;
  readMs: number;
  memoryBytes: number;
  startMs: number;
  idleMs: number;
  documents: number;
}

const PROGRAM = new URL("reader-pool/reader-process.ts", import.meta.url);
/** Larger than the document may be, because chunks repeat headings and JSON escapes characters. */
const ANSWERS = { headerBytes: 64 * 1024, bodyBytes: 16 * 1024 ** 2 };

const READER_LIMITS: ReaderLimits = {
  readers: 2,
  waiting: 20,
  heldBytes: 104 * 1024 ** 2,
  memoryBytes: 512 * 1024 ** 2,
  readMs: 30_000,
  startMs: 30_000,
  idleMs: 60_000,
  documents: 50,
};

/** Characters; shorter texts are split in this process, which is faster than sending them to a reader. */
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
  readonly #queue = new RoundRobinQueue<Work>();
  readonly #busy = new Set<string>();
  readonly #processes: ProcessPool;
  readonly #held: ByteQuota;

  /** @param program replaces the reader program in tests */
  constructor(limits: Partial<ReaderLimits> = {}, program = PROGRAM) {
    this.#limits = { ...READER_LIMITS, ...limits };
    const { documents: uses, ...kept } = this.#limits;
    this.#processes = new ProcessPool({ ...kept, uses, file: program, answers: ANSWERS });
    this.#held = new ByteQuota(this.#limits.heldBytes);
  }

  get idlePids(): (number | undefined)[] {
    return this.#processes.idlePids;
  }

  /** Receives a file as a stream and reads it. @throws like `hold` and `read` */
  receive(
    organizationId: string,
    name: string,
    file: AsyncIterable<Uint8Array>,
    isWhole: () => void,
  ): Promise<DocumentText> {
    return this.hold(organizationId, file, isWhole, (pieces) => this.read(organizationId, name, pieces));
  }

  /**
   * Keeps a streamed file in memory while `use` runs; each organisation has a quota.
   * @param isWhole called at the end; throws when the file was truncated
   * @throws Problem 429 when the organisation holds too many other files; the rest of the stream is read and discarded
   */
  async hold<Result>(
    organizationId: string,
    file: AsyncIterable<Uint8Array>,
    isWhole: () => void,
    use: (pieces: readonly Uint8Array[]) => Promise<Result>,
  ): Promise<Result> {
    const pieces: Uint8Array[] = [];
    let held = 0;
    let refused = false;
    try {
      for await (const piece of file) {
        refused ||= !this.#held.take(organizationId, piece.length);
        if (refused) {
          // Other files of the organisation may use this quota while `use` still runs.
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
      return await use(pieces);
    } finally {
      this.#held.giveBack(organizationId, held);
    }
  }

  /**
   * @param pieces the file's bytes in order
   * @throws Problem 413, 415, 422 like `readDocument`; also 422 for a file that takes too much time or memory; 429 when too many
   * documents of the organisation wait; 503 when no reader can be started
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

  /** @throws like `read`, but the signal's reason when it aborts */
  async split(organizationId: string, text: string, signal?: AbortSignal): Promise<Chunk[]> {
    if (text.length <= SHORT_TEXT) return splitChunks(text);
    const { header, body } = await this.#ask(organizationId, { split: true }, [Buffer.from(text)], signal);
    if (!("json" in header)) throw unreadable();
    return JSON.parse(body.toString("utf8")) as Chunk[];
  }

  /**
   * Returns the text, links and crawler rules of a web page.
   * @param robot the crawler name that the page's rules may address
   * @throws like `read`
   */
  async readPage(organizationId: string, bytes: Buffer, html: boolean, robot: string): Promise<PageFacts> {
    const { header, body } = await this.#ask(organizationId, { page: { html, robot } }, [bytes], undefined);
    if ("problem" in header) throw problemOf(header.problem) ?? unreadable();
    const facts = "json" in header ? readPageFacts(JSON.parse(body.toString("utf8"))) : null;
    if (facts === null || facts.text.length > MAX_DOCUMENT_CHARS) throw unreadable();
    return facts;
  }

  /** Returns the links of a sitemap. @throws like `read` */
  async readSitemap(organizationId: string, bytes: Buffer): Promise<{ links: string[]; isIndex: boolean }> {
    const { header, body } = await this.#ask(organizationId, { sitemap: true }, [bytes], undefined);
    if (!("json" in header)) throw unreadable();
    const { links, isIndex } = JSON.parse(body.toString("utf8")) as { links: unknown; isIndex: unknown };
    return { links: strings(links), isIndex: isIndex === true };
  }

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
    // A reused process may have been damaged by an earlier document, so a fresh one is tried before this document is blamed.
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

  async #start(signal: AbortSignal | undefined): Promise<PooledProcess> {
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

/** The process is untrusted: a response of another shape is discarded as null. */
function readPageFacts(said: unknown): PageFacts | null {
  const { text, title, links, base, robots } = Object(said) as Record<keyof PageFacts, unknown>;
  if (typeof text !== "string" || typeof robots !== "string") return null;
  return {
    text,
    robots,
    links: strings(links),
    ...(typeof title === "string" ? { title: title.slice(0, 300) } : {}),
    ...(typeof base === "string" ? { base } : {}),
  };
}

const strings = (said: unknown): string[] =>
  Array.isArray(said) ? said.filter((one): one is string => typeof one === "string") : [];

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

export const documentReaders = new DocumentReaders();
