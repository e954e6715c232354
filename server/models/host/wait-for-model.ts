/** Waits for a model: for a turn in its queue, for any promise until the caller aborts, and for the pause after failures of its process. */
import { Problem } from "#server/platform/errors.ts";
import type { Asker, FairScheduler } from "#server/platform/process/fair-scheduler.ts";
import { ModelFailure } from "./failures.ts";

interface Waiting {
  asker: Asker;
  signal: AbortSignal;
  waitMs: number;
}

/** Resolves with a function that ends the turn. @throws ModelFailure when no turn comes in time; the signal's reason */
export async function waitForModel(turns: FairScheduler, { asker, signal, waitMs }: Waiting): Promise<() => void> {
  const waiting = new AbortController();
  const begun = Promise.withResolvers<() => void>();
  turns
    .run(asker, AbortSignal.any([signal, waiting.signal]), () => new Promise<void>((end) => begun.resolve(end)))
    .catch(begun.reject);
  const clock = setTimeout(() => waiting.abort(), waitMs);
  try {
    return await begun.promise;
  } catch (error) {
    signal.throwIfAborted();
    if (waiting.signal.aborted) throw new ModelFailure("busy", "no turn in time", Math.ceil(waitMs / 1000));
    if (error instanceof Problem && error.status === 429) throw new ModelFailure("busy", "", Math.ceil(waitMs / 1000));
    throw error;
  } finally {
    clearTimeout(clock);
  }
}

/** Resolves like the promise, or rejects with the signal's reason if that comes first. */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

const LONGEST_REST_MS = 60_000;

/**
 * Decides when a failed process may be restarted. Each failure in a row doubles the pause, and a program that is not installed is not
 * retried.
 */
export class RestAfterFailures {
  readonly #firstMs: number;
  #failures = 0;
  #until = Number.NEGATIVE_INFINITY;

  constructor(firstMs: number) {
    this.#firstMs = firstMs;
  }

  /** Call it before a process is started. @throws ModelFailure during the pause */
  over(): void {
    const rest = this.#until - performance.now();
    if (rest === Number.POSITIVE_INFINITY) throw new ModelFailure("missing");
    if (rest > 0) throw new ModelFailure("resting", "", Math.ceil(rest / 1000));
  }

  /** Call it after a completed task: the next failure counts as the first. */
  worked(): void {
    this.#failures = 0;
  }

  /** @returns number of failures in a row, and the pause that begins now */
  failed({ reason }: ModelFailure): { failures: number; restMs: number } {
    // A program that is not installed will not appear within a minute either.
    const restMs =
      reason === "missing" ? Number.POSITIVE_INFINITY : Math.min(LONGEST_REST_MS, this.#firstMs * 2 ** this.#failures);
    this.#failures++;
    this.#until = performance.now() + restMs;
    return { failures: this.#failures, restMs };
  }
}
