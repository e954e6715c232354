/** Waiting for a turn at a model, and for whatever else somebody may leave before it comes. */
import { Problem } from "#server/errors.ts";
import type { Asker, FairScheduler } from "#server/process/fair-scheduler.ts";
import { ModelFailure } from "./failures.ts";

interface Waiting {
  asker: Asker;
  signal: AbortSignal;
  waitMs: number;
}

/** Resolves with what ends the turn. @throws ModelFailure when it does not come in time; the signal's reason */
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

/** The promise, or the signal's reason if that is sooner. */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
