/** Backs up this installation, whichever engine it uses and whether or not a server has it open. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { configuredKeys } from "#server/operations/master-key/key-ring.ts";
import type { Config } from "#server/platform/config.ts";
import { DataFolderInUse } from "#server/platform/files/data-folder-lock.ts";
import { BackupError, BackupUnderWay } from "./backup-error.ts";
import { relationExists } from "./dump-database.ts";
import { requestSnapshot } from "./embedded-snapshot.ts";
import { openPgliteFolder, openRawDatabase, type RawDatabase } from "./raw-database.ts";
import { type WriteOptions, type WrittenBackup, writeBackup } from "./write-backup.ts";

export type BackedUp = Pick<
  Config,
  "databaseUrl" | "databaseDirectUrl" | "dataDir" | "storage" | "masterKey" | "otherMasterKeys" | "backup"
>;

const productVersion = (): string =>
  (JSON.parse(readFileSync(resolve(import.meta.dirname, "../../../package.json"), "utf8")) as { version: string })
    .version;

/** Advisory lock: one backup of a PostgreSQL database at a time. */
const LOCK = 727_460_010;

/** @throws BackupError; an AbortError when `signal` ended it */
export async function makeBackup(
  config: BackedUp,
  file: string,
  options: Omit<WriteOptions, "lock">,
): Promise<WrittenBackup> {
  const source = await openSource(config, options);
  try {
    const { client, engine } = source;
    if (!(await relationExists(client, "drizzle.__drizzle_migrations")))
      throw new BackupError("База пуста: копировать нечего.");
    if (engine === "postgres") {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as mine", [LOCK]);
      if (!rows[0].mine) throw new BackupUnderWay();
    }
    return await writeBackup({ client, engine, ...ofInstallation(config) }, resolve(file), {
      ...options,
      lock: config.backup,
    });
  } finally {
    await source.close();
  }
}

export const ofInstallation = (config: BackedUp) => ({
  dataDir: config.dataDir,
  storage: config.storage,
  masterKeys: configuredKeys(config),
  product: productVersion(),
});

async function openSource(config: BackedUp, { say, signal }: Omit<WriteOptions, "lock">): Promise<RawDatabase> {
  try {
    return await openRawDatabase(config);
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
  }
  say("Папку держит работающий сервер: прошу у него снимок базы…");
  const snapshot = await requestSnapshot(config.dataDir, signal);
  try {
    const raw = await openPgliteFolder(snapshot.folder);
    const close = async () => {
      await raw.close();
      await snapshot.release();
    };
    return { ...raw, close };
  } catch (error) {
    await snapshot.release();
    throw error;
  }
}
