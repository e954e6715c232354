/** Removes voice files without a row: of a twin deleted during a check, or of a process killed between file and row. */
import { inArray } from "drizzle-orm";
import { asPlatform, type Database } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { VOICE_NAME } from "./voice-rows.ts";

/** A file is created before its row, so younger files are left alone. */
const YOUNG_MS = 3600_000;

/** @returns the number of removed files */
export async function sweepVoices(
  { db, files }: { db: Database; files: FileStore },
  now = Date.now(),
): Promise<number> {
  const names = (await files.unchangedSince(now - YOUNG_MS)).filter((name) => VOICE_NAME.test(name));
  if (names.length === 0) return 0;
  const rows = await asPlatform(db, (tx) =>
    tx
      .select({ storedName: voiceAdapters.storedName })
      .from(voiceAdapters)
      .where(inArray(voiceAdapters.storedName, names)),
  );
  const known = new Set(rows.map(({ storedName }) => storedName));
  const unknown = names.filter((name) => !known.has(name));
  for (const name of unknown) await files.remove(name);
  return unknown.length;
}
