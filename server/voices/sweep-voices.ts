/** Removes voice files that no row names: of a twin deleted during a check, or of a process killed between file and row. */
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inArray } from "drizzle-orm";
import { asPlatform, type Database } from "#server/db/database.ts";
import { voiceAdapters } from "#server/db/schema.ts";
import { storedPath } from "#server/files/stored-files.ts";
import { VOICE_NAME } from "./voice-rows.ts";

/** A file is created before its row, so young files are left alone. */
const YOUNG_MS = 3600_000;

/** @returns the number of removed files */
export async function sweepVoices(
  { db, config }: { db: Database; config: { dataDir: string } },
  now = Date.now(),
): Promise<number> {
  const folder = dirname(storedPath(config.dataDir, "voice"));
  const names = (await readdir(folder).catch(() => [])).filter((name) => VOICE_NAME.test(name));
  if (names.length === 0) return 0;
  const rows = await asPlatform(db, (tx) =>
    tx
      .select({ storedName: voiceAdapters.storedName })
      .from(voiceAdapters)
      .where(inArray(voiceAdapters.storedName, names)),
  );
  const known = new Set(rows.map(({ storedName }) => storedName));
  let swept = 0;
  for (const name of names) {
    const facts = await stat(join(folder, name)).catch(() => null);
    if (known.has(name) || facts === null || now - facts.mtimeMs < YOUNG_MS) continue;
    await rm(join(folder, name), { force: true });
    swept++;
  }
  return swept;
}
