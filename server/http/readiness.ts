/** Readiness check for load balancers, answered in bounded time whatever the database does. */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { Problem } from "#server/errors.ts";

/** A database that takes longer to answer is considered unavailable. */
export const READY_MS = 2000;

/** @returns a check that throws Problem 503 when the database does not answer within `READY_MS` or cannot be reached */
export function createReadiness(db: Database): () => Promise<void> {
  // Concurrent checks share one query, so that frequent checks put no load on the database.
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
