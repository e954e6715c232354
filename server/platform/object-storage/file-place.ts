/** Refuses to start when the settings name another storage than the one that holds the existing files. */
import { readdir } from "node:fs/promises";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { storedFiles } from "#server/platform/db/schema/platform.ts";
import { uploadsFolder } from "#server/platform/files/folder-store.ts";

export class FilesInOtherStorage extends Error {}

const STORED = /^(?:export|archive|voice)-[0-9a-f]{32}$/;
const MOVE =
  "Чтобы перенести файлы: с прежними настройками npm run backup, с новыми npm run restore -- ФАЙЛ --replace --continue.";

/** @throws FilesInOtherStorage */
export async function checkFilePlace(
  { storage, dataDir }: Pick<Config, "storage" | "dataDir">,
  db: Database,
): Promise<void> {
  if (storage === null) {
    const [file] = await db.select({ name: storedFiles.name }).from(storedFiles).limit(1);
    if (file === undefined) return;
    throw new FilesInOtherStorage(`STORAGE_URL: не задан, а файлы этой базы лежат в хранилище. Верните его. ${MOVE}`);
  }
  const names = await readdir(uploadsFolder(dataDir)).catch(() => []);
  if (!names.some((name) => STORED.test(name))) return;
  throw new FilesInOtherStorage(
    `STORAGE_URL: задан, а файлы лежат в ${uploadsFolder(dataDir)}. Уберите его или перенесите их. ${MOVE}`,
  );
}
