/** Begun attempts to read an original, counted before the work, because each may have ended the process. */
import { and, eq, sql } from "drizzle-orm";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { mediaFiles } from "#server/db/schema.ts";

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
