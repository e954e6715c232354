/**
 * Worker threads for heavy work. With Piscina alone, a thread that cannot load ends the process, because the pool's `error` has no
 * listener. The tasks that wait for it never settle. Here they fail, and the next task gets a new thread.
 */
import { Piscina } from "piscina";
import { threadEnvironment } from "#server/platform/config.ts";

interface ThreadPoolOptions {
  /** The module that the threads run; its default export is called with each task. */
  file: URL;
  maxThreads: number;
  /** How long an idle thread is kept, ms. */
  idleTimeout: number;
  resourceLimits?: { maxOldGenerationSizeMb?: number; maxYoungGenerationSizeMb?: number };
}

interface RunOptions {
  signal?: AbortSignal | undefined;
  /** Values that are transferred instead of copied; they cannot be used afterwards. */
  transferList?: ArrayBuffer[];
}

/** A thread failed to load, ran out of memory or exited. The task can be retried. */
export class ThreadFailure extends Error {
  override name = "ThreadFailure";
}

interface Threads<Task, Result> {
  piscina: Piscina<Task, Result>;
  /** Rejects when the threads can take no more tasks. */
  failed: Promise<never>;
}

export class ThreadPool<Task, Result> {
  readonly #options: ThreadPoolOptions;
  #threads: Threads<Task, Result> | undefined;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs a task when a thread is free, in the order of the calls.
   * @throws ThreadFailure; the task's own error; an AbortError when the signal ends it
   */
  async run(task: Task, { signal, transferList = [] }: RunOptions = {}): Promise<Result> {
    // Piscina never gets more tasks than threads, so a task that waits in Piscina waits for a thread to load.
    if (this.#running >= this.#options.maxThreads) await this.#turn(signal);
    this.#running++;
    try {
      signal?.throwIfAborted();
      this.#threads ??= this.#start();
      const { piscina, failed } = this.#threads;
      return await Promise.race([piscina.run(task, { transferList, ...(signal ? { signal } : {}) }), failed]);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /** Resolves when a running task has ended or the signal aborts this one. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(enter), 1);
      reject(signal!.reason);
    };
    const enter = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    this.#waiting.push(enter);
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
    return promise;
  }

  #start(): Threads<Task, Result> {
    const { file, ...options } = this.#options;
    const piscina = new Piscina<Task, Result>({
      ...options,
      filename: file.href,
      env: threadEnvironment(),
      minThreads: 0,
    });
    const { promise: failed, reject } = Promise.withResolvers<never>();
    // Prevents an unhandled rejection when a thread without a task dies.
    failed.catch(() => undefined);
    const fail = (cause: unknown) => {
      if (this.#threads?.piscina === piscina) this.#threads = undefined;
      reject(new ThreadFailure(`A worker thread failed: ${file.pathname.replace(/^.*\//, "")}`, { cause }));
      piscina.destroy().catch(() => undefined);
    };
    piscina.on("error", fail);
    // Piscina raises no error for a thread that exits while it loads.
    piscina.on("workerDestroy", () =>
      setImmediate(() => {
        if (piscina.queueSize > 0 && piscina.threads.length === 0) fail(new Error("it left before it was ready"));
      }),
    );
    return { piscina, failed };
  }
}
