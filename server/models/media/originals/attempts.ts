/** Begun attempts to read an original, counted before the work, because each may have ended the process. */
import { and, eq, sql } from "drizzle-orm";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import type { Log } from "#server/platform/log.ts";
import { MOST_ATTEMPTS } from "../limits.ts";
import { CRASHED_NOTE, UNREADABLE_NOTE } from "./notes.ts";

export type MediaRow = typeof mediaFiles.$inferSelect;

/** Counts one more. Null: nothing is to be read any more. */
export async function countAttempt(db: Database, tenant: Tenant, id: string): Promise<MediaRow | null> {
  const [row] = await asTenant(db, tenant, (tx) =>
    tx
      .update(mediaFiles)
      .set({ attempts: sql`${mediaFiles.attempts} + 1` })
      .where(and(eq(mediaFiles.id, id), eq(mediaFiles.state, "waiting")))
      .returning(),
  );
  return row ?? null;
}

/** Takes one back that has not failed: the server stops. */
export async function takeBackAttempt(db: Database, tenant: Tenant, id: string): Promise<void> {
  await asTenant(db, tenant, (tx) =>
    tx
      .update(mediaFiles)
      .set({ attempts: sql`greatest(0, ${mediaFiles.attempts} - 1)` })
      .where(eq(mediaFiles.id, id)),
  );
}

/**
 * Does the work of an attempt that has been counted.
 * @param giveUp what has ended the process too often, or failed for the last time; the message is for the owner
 * @throws what may pass, and the signal's reason
 */
export async function runCountedAttempt<T>(
  { db, log }: { db: Database; log: Log },
  tenant: Tenant,
  row: MediaRow,
  signal: AbortSignal,
  work: (last: boolean) => Promise<T>,
  giveUp: (message: string) => T | Promise<T>,
): Promise<T> {
  if (row.attempts > MOST_ATTEMPTS) return giveUp(CRASHED_NOTE);
  const last = row.attempts === MOST_ATTEMPTS;
  try {
    return await work(last);
  } catch (error) {
    // The server stops: nothing has failed.
    if (signal.aborted) {
      await takeBackAttempt(db, tenant, row.id).catch(() => {});
      throw error;
    }
    if (!last) throw error;
    log.warn({ err: error, mediaId: row.id }, "an original is not read");
    return giveUp(UNREADABLE_NOTE);
  }
}

export const originalOf = ({ kind, storedName, bytes, mime, seconds }: MediaRow) => ({
  ...{ kind, bytes, seconds, storedName: storedName!, mime: mime! },
});
