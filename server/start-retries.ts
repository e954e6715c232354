import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseAway } from "./platform/db/database.ts";
import type { Log } from "./platform/log.ts";

/** Milliseconds between two tries. */
const WAIT_MS = 1000;

/**
 * Repeats a step of the start for as long as the database is away or has no room. Once the port is open, a process that ended there would
 * take the requests under way with it.
 * @param step may be repeated as a whole
 * @throws whatever else the step throws, and the signal's reason
 */
export async function untilDatabaseAnswers<T>(
  step: () => Promise<T>,
  { signal, log, waitMs = WAIT_MS }: { signal: AbortSignal; log: Log; waitMs?: number },
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      log.warn({ err: error }, "the database went away during the start, which goes on when it is back");
    }
    await pause(waitMs, undefined, { signal });
  }
}
