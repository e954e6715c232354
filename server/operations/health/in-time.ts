import { setTimeout as pause } from "node:timers/promises";

/** How long anything may take that tells how the server is, ms. */
export const ANSWER_MS = 2000;

/**
 * Asks so that an answer is there in bounded time; null: it failed or has not come. A question without an answer is not asked again until
 * it has ended, so that questions do not pile up before a database that is away.
 */
export function withTimeout<T>(ask: () => Promise<T>, ms = ANSWER_MS): () => Promise<T | null> {
  let asking: Promise<T> | undefined;
  return async () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    asking.catch(() => {});
    const answered = new AbortController();
    const late = pause(ms, null, { signal: answered.signal }).catch(() => null);
    try {
      return await Promise.race([asking, late]);
    } catch {
      return null;
    } finally {
      answered.abort();
    }
  };
}
