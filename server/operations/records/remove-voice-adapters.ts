/**
 * Removes the voice adapters that release 0.2 stored (docs/decisions/029-no-voice-adapters.md). During a rolling update its processes may
 * still store one, so this runs every hour; they answer without an adapter that is gone. To be deleted with the table.
 */
import { sql } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { deleteOldOfTenants } from "#server/platform/db-upkeep/delete-old.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";

const STORED_NAME = /^voice-[0-9a-f]{32}$/;

/** @param now ms since 1970; files that changed later stay */
export async function removeVoiceAdapters(
  { db, files }: { db: Database; files: Pick<FileStore, "unchangedSince" | "remove"> },
  now = Date.now(),
): Promise<void> {
  await deleteOldOfTenants(db, voiceAdapters, sql`true`);
  // Found by their names, because a process may be killed between the rows and the files.
  const names = (await files.unchangedSince(now)).filter((name) => STORED_NAME.test(name));
  for (const name of names) await files.remove(name);
}
