/**
 * Threads in which strangers' text is read: with a time limit and a memory limit, so that nothing anybody sends can hold up
 * the loop that answers requests. A thread that oversteps is ended, and another one takes its place.
 */
import { ThreadPool } from "#server/thread-pool.ts";
import { Turns } from "./turns.ts";

/** Reading took too long, or too much memory: whoever sent this may have meant it to. */
export class Overrun extends Error {
  override name = "Overrun";
}

export interface ReadingOptions {
  /** The module that reads; a task is given to its default export. */
  file: URL;
  /** Longest time of one task, from the moment a thread has it. */
  withinMs: number;
}

/** Two even where there is a single core: one that is held up must not hold up all. */
const THREADS = 2;
const MEMORY_MB = 256;
const IDLE_MS = 30_000;

/** Tasks and answers are copied between threads. */
export class ReadingThreads<Task, Answer> {
  readonly #pool: ThreadPool<Task, Answer>;
  readonly #turns = new Turns(THREADS);
  readonly #withinMs: number;

  constructor({ file, withinMs }: ReadingOptions) {
    this.#withinMs = withinMs;
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 };
    this.#pool = new ThreadPool({ file, maxThreads: THREADS, idleTimeout: IDLE_MS, resourceLimits });
  }

  /**
   * @param whose the organisation that the text has come to: they take turns
   * @throws Overrun; ThreadFailure where no thread could begin; the reader's own error
   */
  read(whose: string, task: Task): Promise<Answer> {
    return this.#turns.take(whose, async () => {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), this.#withinMs);
      try {
        return await this.#pool.run(task, { signal: late.signal });
      } catch (cause) {
        if (late.signal.aborted) throw new Overrun("reading took too long", { cause });
        if (isOutOfMemory(cause)) throw new Overrun("reading took too much memory", { cause });
        throw cause;
      } finally {
        clearTimeout(timer);
      }
    });
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
