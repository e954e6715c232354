/** Whether requests can be served: asked by whoever sends them here, and answered in bounded time whatever the database does. */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "./db/database.ts";
import { Problem } from "./errors.ts";

/** A database that takes longer does not serve people. */
export const READY_MS = 2000;

/** @returns throws Problem 503 when the database has not answered within `READY_MS`, or cannot be reached */
export function createReadiness(db: Database): () => Promise<void> {
  // However often it is asked, one question waits: those who look on are not the load.
  let asking: Promise<void> | undefined;
  const ask = async () => {
    await db.execute(sql`select 1`);
  };
  return async () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    asking.catch(() => {});
    const late = new AbortController();
    const silent = pause(READY_MS, "silent", { signal: late.signal }).catch(() => "silent");
    try {
      if ((await Promise.race([asking, silent])) === "silent") {
        const said = `База данных не ответила за ${READY_MS / 1000} секунды.`;
        throw new Problem(503, "database_away", said, { retryAfter: 5 });
      }
    } finally {
      late.abort();
    }
  };
}
