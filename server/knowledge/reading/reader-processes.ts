/** The processes that read documents: started when one is needed, kept a while, renewed after some documents. */
import { unavailable } from "#server/errors.ts";
import { Sandbox, SandboxEnded } from "#server/sandbox/sandbox.ts";

export interface ProcessLimits {
  /** In memory, of one process. */
  memoryBytes: number;
  /** For a process to load. */
  startMs: number;
  /** A process without work is kept so long. */
  idleMs: number;
  /** Documents that one process reads before a new one takes its place. */
  documents: number;
}

export interface Reader {
  sandbox: Sandbox;
  documents: number;
  idle?: NodeJS.Timeout;
}

const PROGRAM = new URL("reader-process.ts", import.meta.url);
/** Passages repeat their headings, and JSON escapes what it must. */
const ANSWERS = { headerBytes: 64 * 1024, bodyBytes: 16 * 1024 ** 2 };

export class ReaderProcesses {
  readonly #limits: ProcessLimits;
  readonly #program: URL;
  readonly #idle: Reader[] = [];

  constructor(limits: ProcessLimits, program = PROGRAM) {
    this.#limits = limits;
    this.#program = program;
  }

  get idlePids(): (number | undefined)[] {
    return this.#idle.map(({ sandbox }) => sandbox.pid);
  }

  /** One that was kept, or a new one. @throws Problem 503 when it does not load */
  async take(signal: AbortSignal | undefined): Promise<Reader> {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      clearTimeout(kept.idle);
      if (kept.sandbox.alive) return kept;
    }
    const { memoryBytes, startMs } = this.#limits;
    const sandbox = new Sandbox({ file: this.#program, memoryBytes, answers: ANSWERS });
    try {
      await sandbox.watched(startMs, signal, () => sandbox.ready());
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

  /** For the next document, after the answer to this one. */
  keep(reader: Reader): void {
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

  /** Ends those that nobody uses. */
  end(): void {
    for (const { sandbox, idle } of this.#idle.splice(0)) {
      clearTimeout(idle);
      sandbox.end();
    }
  }
}
