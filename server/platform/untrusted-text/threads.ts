/**
 * Worker threads that parse text from strangers with a time limit and a memory limit, so that no input can block the event loop. A thread
 * that exceeds a limit is ended and replaced.
 */
import { ThreadPool } from "#server/platform/process/thread-pool.ts";
import { FairSlots } from "./fair-slots.ts";

/** Parsing exceeded the time or memory limit, possibly because the input was crafted for that. */
export class ReadingLimitExceeded extends Error {
  override name = "ReadingLimitExceeded";
}

interface ReadingOptions {
  /** The parsing module, whose default export is called with each task. */
  file: URL;
  /** Time limit of one task, counted from when a thread takes it. */
  withinMs: number;
}

/** At least two threads even on a single core, so that one blocked thread does not block everything. */
const THREADS = 2;
const MEMORY_MB = 256;
const IDLE_MS = 30_000;

/** Tasks and results must be values that the structured clone algorithm can copy. */
export class ReadingThreads<Task, Answer> {
  readonly #pool: ThreadPool<Task, Answer>;
  readonly #turns = new FairSlots(THREADS);
  readonly #withinMs: number;

  constructor({ file, withinMs }: ReadingOptions) {
    this.#withinMs = withinMs;
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 };
    this.#pool = new ThreadPool({ file, maxThreads: THREADS, idleTimeout: IDLE_MS, resourceLimits });
  }

  /**
   * @param whose the organisation that received the text; organisations take turns
   * @throws ReadingLimitExceeded; ThreadFailure when no thread could start; the parser's own error
   */
  read(whose: string, task: Task): Promise<Answer> {
    return this.#turns.take(whose, async () => {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), this.#withinMs);
      try {
        return await this.#pool.run(task, { signal: late.signal });
      } catch (cause) {
        if (late.signal.aborted) throw new ReadingLimitExceeded("reading took too long", { cause });
        if (isOutOfMemory(cause)) throw new ReadingLimitExceeded("reading took too much memory", { cause });
        throw cause;
      } finally {
        clearTimeout(timer);
      }
    });
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
