/**
 * Makes a backup at the start before migrating the database, one per upgrade. A server that restarts repeatedly while its migration fails
 * makes no other within a quarter of an hour. After that, other processes may have written to the database, so a new backup replaces the
 * former. Backups of older upgrades are deleted except for the last few.
 */
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ClientBase } from "pg";
import type { Upgrade } from "#server/platform/db/check-database.ts";
import { decryptionKeyOf } from "./age-file.ts";
import { BackupError } from "./backup-error.ts";
import { type BackedUp, ofInstallation } from "./make-backup.ts";
import { readBackup } from "./read-backup.ts";
import { writeBackup } from "./write-backup.ts";

/** Milliseconds for which a backup still represents the present state. */
const REUSED_MS = 15 * 60_000;
/** Number of backups kept per upgrade, which is identified by its first and last state. */
const KEPT = 2;

/**
 * @param client the connection that is about to migrate
 * @throws BackupError; then nothing is migrated
 */
export async function backUpBeforeUpgrade(
  config: BackedUp,
  client: ClientBase,
  upgrade: Upgrade,
  say: (line: string) => void,
  now = new Date(),
): Promise<void> {
  const { folder } = config.backup;
  const count = upgrade.missing.length;
  if (folder === null) {
    say(`Обновляю базу (изменений: ${count}). Копия перед этим не делается: не задана BACKUP_FOLDER.`);
    return;
  }
  const known = await backupFor(config, folder, upgrade, now);
  if (known !== null) {
    say(`Обновляю базу (изменений: ${count}). Копия этого обновления уже есть: ${known}`);
    return;
  }
  const file = join(folder, `${beginningOf(upgrade)}${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.age`);
  say(`Обновляю базу (изменений: ${count}). Сначала копия: ${file}`);
  const engine = config.databaseUrl === null ? "embedded" : "postgres";
  await writeBackup({ client, engine, ...ofInstallation(config) }, file, { lock: config.backup, say });
  await rotate(folder, config.backup.keptUpgrades, upgrade);
}

/**
 * Counts upgrades, not files. An upgrade that failed halfway starts again from another state, and an operator who abandons it needs the
 * backup of the first attempt. The current upgrade is the last.
 */
async function rotate(folder: string, keptUpgrades: number, upgrade: Upgrade): Promise<void> {
  const all = await filesIn(folder);
  const aimOf = (name: string) => NAME.exec(name)![2];
  const lastAims = [...new Set(all.toReversed().map(aimOf))].slice(0, keptUpgrades);
  const former = all.filter((name) => !lastAims.includes(aimOf(name)));
  const ofThisState = all.filter((name) => name.startsWith(beginningOf(upgrade)));
  for (const name of [...former, ...ofThisState.slice(0, -KEPT)]) await rm(join(folder, name), { force: true });
}

/** States are named by the last applied migration and the last one to apply. */
const stampOf = ({ hash }: { hash: string }): string => hash.slice(0, 8);
const beginningOf = ({ done, missing }: Upgrade): string =>
  `before-upgrade-${stampOf(done.at(-1)!)}-${stampOf(missing.at(-1)!)}-`;

const NAME = /^before-upgrade-([0-9a-f]{8})-([0-9a-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.age$/;

/** Lists files, oldest first. The rotation of scheduled backups ignores these names. */
async function filesIn(folder: string): Promise<string[]> {
  const madeAt = (name: string) => name.slice(-"YYYYMMDDTHHMMSSZ.age".length);
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
  return names.sort((one, other) => (madeAt(one) < madeAt(other) ? -1 : 1));
}

/** Returns the newest complete backup of this upgrade's first state; some of its migrations may have run since. */
async function backupFor(config: BackedUp, folder: string, { done, missing }: Upgrade, now: Date) {
  const passed = done.map(stampOf);
  for (const name of (await filesIn(folder)).reverse()) {
    const [from, to, year, month, day, hour, minute, second] = NAME.exec(name)!.slice(1) as string[];
    const age = now.getTime() - Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (to !== stampOf(missing.at(-1)!) || !passed.includes(from!) || age < 0 || age > REUSED_MS) continue;
    if (await isWhole(config, join(folder, name), from!)) return join(folder, name);
  }
  return null;
}

/** Verifies the whole file if the settings can decrypt it. A file encrypted only to a public key must at least have the right format. */
async function isWhole({ backup }: BackedUp, file: string, from: string): Promise<boolean> {
  try {
    if (backup.passphrase === null && backup.identity === null) return await looksWhole(file);
    const { manifest } = await readBackup(file, decryptionKeyOf(backup));
    return stampOf(manifest.migrations.at(-1)!) === from;
  } catch (error) {
    if (error instanceof BackupError || (error as NodeJS.ErrnoException).syscall !== undefined) return false;
    throw error;
  }
}

const HEADER = "age-encryption.org/v1\n";

async function looksWhole(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    return bytesRead === HEADER.length && buffer.toString() === HEADER && (await file.stat()).size > HEADER.length;
  } finally {
    await file.close();
  }
}
