/** The backup that a start makes before it migrates the database. */
import { join } from "node:path";
import type { ClientBase } from "pg";
import { type BackedUp, ofInstallation } from "./make-backup.ts";
import { writeBackup } from "./write-backup.ts";

/**
 * @param client the connection that is about to migrate
 * @param missing number of migrations that are about to run
 * @throws BackupError; nothing is migrated then
 */
export async function backUpBeforeUpgrade(
  config: BackedUp,
  client: ClientBase,
  missing: number,
  say: (line: string) => void,
): Promise<void> {
  const { folder } = config.backup;
  if (folder === null) {
    say(`Обновляю базу (изменений: ${missing}). Копия перед этим не делается: не задана BACKUP_FOLDER.`);
    return;
  }
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  // The rotation of scheduled backups leaves files of other names alone.
  const file = join(folder, `before-upgrade-${stamp}.age`);
  say(`Обновляю базу (изменений: ${missing}). Сначала копия: ${file}`);
  const engine = config.databaseUrl === null ? "embedded" : "postgres";
  await writeBackup({ client, engine, ...ofInstallation(config) }, file, { lock: config.backup, say });
}
