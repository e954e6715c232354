/**
 * Restores a backup into an empty database. The whole file is verified before anything changes. While the restore runs, the database has a
 * mark: a server refuses it, and an interrupted restore can start again.
 */

import { createReadStream } from "node:fs";
import { access, constants, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import type { Client } from "pg";
import { openKeyRing } from "#server/operations/master-key/key-ring.ts";
import { rewrapAll, verifyAll } from "#server/operations/master-key/rewrap.ts";
import type { Config } from "#server/platform/config.ts";
import { RESTORING } from "#server/platform/db/check-database.ts";
import { databaseOptions, MIGRATIONS, type OpenDatabase, openDatabase } from "#server/platform/db/database.ts";
import { storedPieces } from "#server/platform/db/schema/platform.ts";
import { storedPath } from "#server/platform/files/stored-files.ts";
import { JOB_RULES, type JobData, type JobName } from "#server/platform/jobs/catalogue.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { openFileStore } from "#server/platform/object-storage/open-file-store.ts";
import { createVault, replaceMasterKeys } from "#server/platform/secrets/vault.ts";
import { decryptionKeyOf } from "./age-file.ts";
import { BackupError } from "./backup-error.ts";
import { relationExists } from "./dump-database.ts";
import { filesUnder } from "./linked-uploads.ts";
import { DatabaseLoad, migrateFirst, migrationsOf, wipeDatabase } from "./load-database.ts";
import { type Manifest, QUEUE } from "./manifest.ts";
import { openRawDatabase } from "./raw-database.ts";
import { readBackup } from "./read-backup.ts";
import { knownObjects } from "./stored-objects.ts";

type RestoreConfig = Pick<
  Config,
  | "databaseUrl"
  | "databaseDirectUrl"
  | "databaseRequestUrl"
  | "dataDir"
  | "diskFloorBytes"
  | "storage"
  | "databasePool"
  | "masterKey"
  | "otherMasterKeys"
  | "backup"
>;

export interface RestoreOptions {
  /** Whether existing data in the database may be deleted. */
  replace?: boolean;
  /**
   * Whether the twins continue, because the backed-up server was stopped before the backup and has not run since. Otherwise they are
   * stopped and waiting answers become drafts: messages sent after the backup would be sent again.
   */
  goOn?: boolean;
  /** Reports the progress, in Russian. */
  say(line: string): void;
  /** Replaces the product's folder, for tests. */
  migrationsFolder?: string;
}

interface Restored {
  manifest: Manifest;
  rows: number;
  files: number;
  jobs: number;
  secrets: number;
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
const RESTORED = "Восстановлено из резервной копии: было ли это отправлено после неё, неизвестно";
const SAY_MS = 2000;

/** @throws BackupError before anything changes for a file that cannot be restored and for a database that is not empty */
export async function restoreBackup(config: RestoreConfig, file: string, options: RestoreOptions): Promise<Restored> {
  const { say, migrationsFolder = MIGRATIONS } = options;
  const decryptionKey = decryptionKeyOf(config.backup);
  await access(file, constants.R_OK).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw new BackupError(`Файла ${file} нет.`);
    const said = `Файл ${file} не прочитать (${cause.code}): положите его туда, где он открыт пользователю сервера.`;
    throw new BackupError(said, { cause });
  });
  say("Проверяю файл…");
  const { manifest, sums } = await readBackup(file, decryptionKey, {
    manifest: (given) => void migrationsOf(given, migrationsFolder),
  });
  const rows = Object.values(sums.tables).reduce((sum, table) => sum + table.rows, 0);
  say(`Файл цел: ${manifest.at}, версия ${manifest.product}, строк ${rows}.`);

  const kept: Kept = { keys: [], queue: [], objects: [] };
  const staging = join(config.dataDir, "uploads.restoring");
  const raw = await openRawDatabase(config);
  try {
    await refuseOccupied(raw.client, options.replace ?? false);
    await raw.client.query(`create schema if not exists ${RESTORING}`);
    kept.objects.push(...(await knownObjects(raw.client)));
    await wipeDatabase(raw.client);
    await migrateFirst(raw.client, migrationsFolder, migrationsOf(manifest, migrationsFolder));
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const load = await DatabaseLoad.begin(raw.client);
    load.check(manifest, [QUEUE.name]);
    let written = 0;
    let told = Date.now();
    await readBackup(file, decryptionKey, {
      keys: (keys) => void kept.keys.push(...keys),
      sequences: (sequences) => load.setSequences(sequences),
      async rows({ name, columns }, given) {
        if (name === QUEUE.name) kept.queue.push(...given);
        else await load.insert(name, columns, given);
        written += given.length;
        if (Date.now() - told < SAY_MS) return;
        told = Date.now();
        say(`Строк: ${written} из ${rows}`);
      },
      file: (path, bytes) => append(join(staging, path), bytes),
    });
    if (options.goOn !== true) await holdBack(raw.client);
    await forgetModels(raw.client, await modelsHere(config.dataDir));
    await load.finish();
    await raw.client.query("analyze");
  } finally {
    await raw.close();
  }
  await putUploads(config, staging, say);
  const { secrets, jobs } = await finish(config, kept, { ...options, staging });
  return { manifest, rows, files: Object.keys(sums.files).length, jobs, secrets };
}

/** A database without accounts counts as empty, because a server may have been started on it. */
async function refuseOccupied(client: Client, replace: boolean): Promise<void> {
  const { rows: others } = await client.query(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  if (others[0].count > 0) {
    throw new BackupError("С этой базой работает другой процесс. Остановите серверы и повторите.");
  }
  const { rows } = await client.query("select to_regnamespace($1) is not null as restoring", [RESTORING]);
  if (replace || rows[0].restoring) return;
  if (!(await relationExists(client, "public.users"))) return;
  const { rows: found } = await client.query("select exists (select from public.users) as occupied");
  if (!found[0].occupied) return;
  throw new BackupError(
    "В базе уже есть данные. Восстановите копию в пустую базу или добавьте --replace, чтобы удалить то, что там есть.",
  );
}

/** Until an operator has checked the restored data, nothing is sent automatically: neither waiting answers nor answers to new messages. */
async function holdBack(client: Client): Promise<void> {
  await client.query("update outbox set state = 'draft', reason = $1 where state = 'pending' and author is null", [
    RESTORED,
  ]);
  await client.query("update outbox set state = 'unknown', reason = $1 where state in ('pending', 'sending')", [
    RESTORED,
  ]);
  await client.query(
    "insert into twin_stops (org_id, stopped_by) select id, $1::uuid from organizations on conflict do nothing",
    [NOBODY],
  );
}

/** Backups contain no model files, so models missing here are marked as to be downloaded or uploaded again. */
async function forgetModels(client: Client, here: readonly string[]): Promise<void> {
  await client.query(
    `update local_models set chosen = false, allowed = false, received = 0, held_until = null,
        state = case when revision is null then 'failed' else 'paused' end,
        problem = case when revision is null then 'broken-off' end
      where not (stored_name = any($1::text[]))`,
    [here],
  );
}

async function modelsHere(dataDir: string): Promise<string[]> {
  const files = await readdir(join(dataDir, "models")).catch(() => []);
  return files.filter((name) => name.endsWith(".gguf")).map((name) => name.slice(0, -".gguf".length));
}

async function append(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

/** Data that a restore keeps in memory while the database is filled. */
interface Kept {
  keys: Buffer[];
  queue: (string | null)[][];
  /** Keys of stored objects that the former database knew. */
  objects: string[];
}

/**
 * Restores files to the data folder; former files stay beside it under another name. Files for a bucket wait until the database is open.
 */
async function putUploads(
  { dataDir, storage }: RestoreConfig,
  staging: string,
  say: (line: string) => void,
): Promise<void> {
  const uploads = storedPath(dataDir, "");
  const before = await readdir(uploads).catch(() => []);
  if (before.length > 0) {
    const aside = join(dataDir, `uploads.before-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
    await rename(uploads, aside);
    say(`Прежние загрузки отложены в ${aside}.`);
  } else await rm(uploads, { recursive: true, force: true });
  if (storage === null) await rename(staging, uploads);
}

/** Stores the files in the bucket; the server's next sweep deletes the former objects. */
async function putObjects(
  { db }: OpenDatabase,
  config: RestoreConfig,
  staging: string,
  objects: readonly string[],
): Promise<void> {
  const files = openFileStore(config, db);
  for (const path of await filesUnder(staging)) await files.write(path, createReadStream(join(staging, path)));
  for (let at = 0; at < objects.length; at += ROWS_AT_ONCE) {
    const left = objects.slice(at, at + ROWS_AT_ONCE).map((key) => ({ key, bytes: 0, sha256: "" }));
    await db.insert(storedPieces).values(left).onConflictDoNothing();
  }
  await rm(staging, { recursive: true, force: true });
}

const ROWS_AT_ONCE = 1000;

/** Upgrades the schema, encrypts the secrets with this installation's key, restores the queue and removes the mark. */
async function finish(
  config: RestoreConfig,
  { keys, queue, objects }: Kept,
  { migrationsFolder, staging }: RestoreOptions & { staging: string },
): Promise<{ secrets: number; jobs: number }> {
  const database = await openDatabase({
    ...databaseOptions(config),
    restoring: true,
    ...(migrationsFolder !== undefined && { migrationsFolder }),
  });
  try {
    if (config.masterKey === null) replaceMasterKeys(config.dataDir, keys);
    if (config.storage !== null) await putObjects(database, config, staging, objects);
    const secrets = await openSecrets(database, config, keys);
    const jobs = await enqueueAgain(database, queue);
    await database.db.execute(sql`drop schema ${sql.identifier(RESTORING)}`);
    return { secrets, jobs };
  } finally {
    await database.close();
  }
}

async function openSecrets({ db }: OpenDatabase, config: RestoreConfig, keys: readonly Buffer[]): Promise<number> {
  const { masterKey, otherMasterKeys } = config;
  const others = [...otherMasterKeys, ...keys].filter((key) => masterKey?.equals(key) !== true);
  const ring = await openKeyRing(db, { ...config, otherMasterKeys: others });
  const vault = createVault(ring);
  if (keys.length === 1 && (masterKey ?? keys[0]!).equals(keys[0]!)) return verifyAll(db, vault);
  return (await rewrapAll(db, vault)).verified;
}

async function enqueueAgain(database: OpenDatabase, queue: readonly (string | null)[][]): Promise<number> {
  const jobs = await openJobs(database, createLog("silent"));
  let count = 0;
  try {
    for (const [name, data, startAfter] of queue) {
      if (!isJob(name) || data === null) continue;
      const due = startAfter === null || startAfter === undefined ? undefined : new Date(startAfter);
      await database.db.transaction((tx) => jobs.enqueue(tx, name, JSON.parse(data!) as JobData[JobName], due));
      count++;
    }
    return count;
  } finally {
    await jobs.stop(0);
  }
}

const isJob = (name: string | null | undefined): name is JobName => name != null && Object.hasOwn(JOB_RULES, name);
