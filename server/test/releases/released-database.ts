/** The data that releases have left, and an upgrade of them that can be killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Decrypter, Encrypter } from "age-encryption";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { ClientBase } from "pg";
import { expect, inject, onTestFinished } from "vitest";
import { decryptionKeyOf } from "#server/operations/backup/age-file.ts";
import { readBackup } from "#server/operations/backup/read-backup.ts";
import { restoreBackup } from "#server/operations/backup/restore-backup.ts";
import { MIGRATIONS, openDatabase } from "#server/platform/db/database.ts";
import { UPGRADE_LOCK } from "#server/platform/db/migrate.ts";
import { fileDigests, initialisedTarget, type Lock, makeLock, tableDigests } from "../backups.ts";

export interface Ledger {
  /** The tables' columns when the release was made. */
  columns: Record<string, string[]>;
  /** A digest for each table's rows in these columns, and one for each stored file. */
  digests: Record<string, string>;
}

/** Not a secret: what it locks is public test data. */
export const LOCK: Lock = { passphrase: "data of a release", recipient: null, identity: null };
export const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
export const fileOf = (release: string) => join(import.meta.dirname, `${release}.age`);
export const ledgerOf = (release: string) => join(import.meta.dirname, `${release}.json`);
export const readLedger = async (release: string): Promise<Ledger> =>
  JSON.parse(await readFile(ledgerOf(release), "utf8"));
export const releases = readdirSync(import.meta.dirname).flatMap((name) =>
  name.endsWith(".age") ? [name.slice(0, -".age".length)] : [],
);

/** This code's migrations as far as the release's data had run them, and the statements of each that came after. */
async function migrationsAt(file: string, lock: Lock, folder: string): Promise<string[][]> {
  const { manifest } = await readBackup(file, decryptionKeyOf(lock));
  const known = manifest.migrations.length;
  await cp(MIGRATIONS, folder, { recursive: true });
  const journal = join(folder, "meta/_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(journal, "utf8"));
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, known) }));
  const later = readMigrationFiles({ migrationsFolder: MIGRATIONS }).slice(known);
  return later.map(({ sql: statements }) => statements);
}

/** Indexes that the upgrade has still to build. */
async function countPending(client: ClientBase): Promise<number> {
  const { rows } = await client.query("select to_regclass('drizzle.pending_indexes') is not null as noted");
  if (!rows[0].noted) return 0;
  return (await client.query("select count(*)::int as left from drizzle.pending_indexes")).rows[0].left;
}

interface Found {
  /** Number of migrations that are recorded as done. */
  run: number;
  /** Number of indexes that are still to be built. */
  pending: number;
  ledger: Record<string, string>;
}

interface ReleasedDatabase {
  /** The statements of each migration that came after the release. */
  later: string[][];
  /** As it was restored. */
  before: Found;
  /** The digests that must be found at any time. */
  expected: Record<string, string>;
  look(): Promise<Found>;
  /** Starts this code on it. @returns what the process wrote about each statement; it is killed after statement `at`, counted from 1 */
  upgrade(at: number): Promise<{ signal: NodeJS.Signals | null; code: number | null; said: string[]; err: string }>;
  /** Starts this code on it, in this process. */
  open(): Promise<void>;
  brokenIndexes(): Promise<number>;
}

/** The same backup to a key of its own: a passphrase costs a second and a half each time that the file is opened. */
async function reencrypted(release: string, folder: string, lock: Lock): Promise<string> {
  const [decrypter, encrypter] = [new Decrypter(), new Encrypter()];
  decryptionKeyOf(LOCK).addTo(decrypter);
  encrypter.addRecipient(lock.recipient!);
  const file = join(folder, "released.age");
  await writeFile(file, await encrypter.encrypt(await decrypter.decrypt(await readFile(fileOf(release)))));
  return file;
}

/** The release's data in a database of the schema that it had. */
export async function restoreReleased(release: string): Promise<ReleasedDatabase> {
  const { columns, digests } = await readLedger(release);
  const lock = await makeLock();
  const target = await initialisedTarget(engine, lock);
  onTestFinished(() => target.remove());
  const { databaseUrl, dataDir } = target.config;
  const folder = await mkdtemp(join(tmpdir(), "dt-released-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const migrationsFolder = join(folder, "migrations");
  const file = await reencrypted(release, folder, lock);
  const later = await migrationsAt(file, lock, migrationsFolder);
  await restoreBackup(target.config, file, { goOn: true, say: () => {}, migrationsFolder });
  const { local_models: _, master_keys: __, ...expected } = digests;
  const look = () =>
    target.look(async (client) => {
      // A killed start's session holds it until the server has done what it was sent last.
      const free = () => client.query("select pg_try_advisory_lock($1) as taken", [UPGRADE_LOCK]);
      while (!(await free()).rows[0].taken) await pause(10);
      const { rows } = await client.query("select count(*)::int as run from drizzle.__drizzle_migrations");
      const { local_models: ___, master_keys: ____, ...tables } = await tableDigests(client, columns);
      return {
        run: rows[0].run as number,
        pending: await countPending(client),
        ledger: { ...tables, ...(await fileDigests(dataDir)) },
      };
    });
  const before = await look();
  expect(before.ledger).toEqual(expected);
  return {
    before,
    later,
    expected,
    look,
    async upgrade(at) {
      const child = spawn(process.execPath, [
        join(import.meta.dirname, "upgrade-kill-child.ts"),
        dataDir,
        databaseUrl ?? "-",
        String(at),
      ]);
      let [out, err] = ["", ""];
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.stderr.on("data", (chunk) => {
        err += chunk;
      });
      const [code, signal] = await once(child, "close");
      return { code, signal, said: out.trim().split("\n"), err };
    },
    open: () => openDatabase(target.config).then(({ close }) => close()),
    brokenIndexes: () =>
      target.look(async (client) => {
        const { rows } = await client.query("select count(*)::int as broken from pg_index where not indisvalid");
        return rows[0].broken;
      }),
  };
}

/** Number of migrations that this code has. */
export async function countMigrations(): Promise<number> {
  return JSON.parse(await readFile(join(MIGRATIONS, "meta/_journal.json"), "utf8")).entries.length;
}
