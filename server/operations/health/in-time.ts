import { setTimeout as pause } from "node:timers/promises";

/** Maximum milliseconds for a health check. */
export const ANSWER_MS = 2000;

/**
 * Asks with a time limit; null: it failed or timed out. A new question waits until the last one has ended, so that questions do not pile up
 * before an unavailable database.
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
