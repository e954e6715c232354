/** Removes model files without a row, which a process leaves when it is killed between creating the file and the row. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { folderOf } from "./model-rows.ts";

/** A younger file is kept, because a file is created before its row. */
const YOUNG_MS = 3600_000;

export async function sweepModelFiles(
  { db, config }: { db: Database; config: { dataDir: string } },
  now = Date.now(),
): Promise<number> {
  const folder = folderOf(config.dataDir);
  const files = await readdir(folder).catch(() => []);
  if (files.length === 0) return 0;
  const rows = await db.select({ storedName: localModels.storedName }).from(localModels);
  const known = new Set(
    rows.flatMap(({ storedName }) => [`${storedName}.gguf`, `${storedName}.part`, `${storedName}.speech`]),
  );
  let swept = 0;
  for (const file of files) {
    const path = join(folder, file);
    const facts = await stat(path).catch(() => null);
    if (known.has(file) || facts === null || now - facts.mtimeMs < YOUNG_MS) continue;
    await rm(path, { force: true, recursive: true });
    swept++;
  }
  return swept;
}
