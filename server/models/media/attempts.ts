/** Counts started attempts to read an original before the work begins, because an attempt may crash the process. */
import { and, eq, sql } from "drizzle-orm";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import type { Log } from "#server/platform/log.ts";
import { MOST_ATTEMPTS } from "./limits.ts";
import { CRASHED_NOTE, UNREADABLE_NOTE } from "./notes.ts";

export type MediaRow = typeof mediaFiles.$inferSelect;

/** Counts one more attempt. Null: there is nothing left to read. */
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

/** Uncounts an attempt that did not fail but was interrupted by the server's stop. */
export async function takeBackAttempt(db: Database, tenant: Tenant, id: string): Promise<void> {
  await asTenant(db, tenant, (tx) =>
    tx
      .update(mediaFiles)
      .set({ attempts: sql`greatest(0, ${mediaFiles.attempts} - 1)` })
      .where(eq(mediaFiles.id, id)),
  );
}

/**
 * Runs a counted attempt.
 * @param giveUp called for a file that crashed the process too often or failed for the last time; the message is for the owner
 * @throws temporary failures, and the signal's reason
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
    // The server is stopping, so the attempt has not failed.
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
