/** For tests of backups: the rows of a database as digests, and a place to restore into. */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import type { ClientBase } from "pg";
import { inject } from "vitest";
import { openRawDatabase } from "#server/operations/backup/raw-database.ts";
import { type WriteOptions, type WrittenBackup, writeBackup } from "#server/operations/backup/write-backup.ts";
import { configuredKeys } from "#server/operations/master-key/key-ring.ts";
import { type Config, readConfig } from "#server/platform/config.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { onServer } from "./database.ts";
import { prepareDataFolder } from "./processes/data-folder.ts";
import type { TestApp } from "./test-app.ts";

export type Lock = WriteOptions["lock"];

/** A key of its own: a passphrase costs a second and a half each time. */
export async function makeLock(): Promise<Lock> {
  const identity = await generateX25519Identity();
  return { passphrase: null, recipient: await identityToRecipient(identity), identity };
}

/** A backup of the app's database through one of its own connections: the embedded one lies in memory. */
export async function backUp(t: TestApp, file: string, lock: Lock): Promise<WrittenBackup> {
  const { config, db, database } = t.services;
  const client = await db.$client.connect();
  try {
    const masterKeys = configuredKeys(config);
    const { dataDir, storage } = config;
    const source = { client, engine: database.kind, dataDir, storage, masterKeys, product: "0.2.0" };
    return await writeBackup(source, file, { lock, say: () => {} });
  } finally {
    client.release();
  }
}

export interface Target {
  config: Config;
  /** A digest of each table's rows, whatever their order, and of each file in `uploads`. */
  digests(columns?: Record<string, string[]>): Promise<Record<string, string>>;
  /** Looks into the database by a superuser's connection; opening the embedded one takes seconds, so what is looked at is looked at together. */
  look<Found>(work: (client: ClientBase) => Promise<Found>): Promise<Found>;
  /** Tables whose next row would get an id that another row has. */
  spentIds(): Promise<string[]>;
  remove(): Promise<void>;
}

/** Nothing yet: a data folder, and with `postgres` an empty database that belongs to a role without the rights of a superuser. */
export async function emptyTarget(engine: "embedded" | "postgres", lock: Lock, masterKey?: Buffer): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), "dt-restored-"));
  const snapshot = inject("databaseSnapshot");
  const name = `restored_${randomBytes(6).toString("hex")}`;
  let databaseUrl: string | null = null;
  let adminUrl: string | null = null;
  if (engine === "postgres") {
    if ("path" in snapshot) throw new Error("There is no PostgreSQL in this run");
    await onServer(snapshot.url, `create role ${name} login createrole password '${name}'`);
    await onServer(snapshot.url, `create database ${name} owner ${name}`);
    const url = new URL(snapshot.url);
    url.pathname = `/${name}`;
    adminUrl = url.href;
    [url.username, url.password] = [name, name];
    databaseUrl = url.href;
  }
  const read = readConfig({
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    DEMO: "0",
    REQUESTS_PER_MINUTE: "0",
    DATA_DIR: dataDir,
  });
  const config: Config = { ...read, databaseUrl, masterKey: masterKey ?? null, backup: { ...read.backup, ...lock } };
  async function look<Found>(work: (client: ClientBase) => Promise<Found>): Promise<Found> {
    const raw = await openRawDatabase({ databaseUrl: adminUrl, dataDir });
    try {
      return await work(raw.client);
    } finally {
      await raw.close();
    }
  }
  return {
    config,
    look,
    digests: (columns) =>
      look(async (client) => ({ ...(await tableDigests(client, columns)), ...(await fileDigests(dataDir)) })),
    spentIds: () => look(spentIds),
    async remove() {
      await rm(dataDir, { recursive: true, force: true });
      if ("path" in snapshot || engine === "embedded") return;
      await onServer(snapshot.url, `drop database if exists ${name} with (force)`);
    },
  };
}

/**
 * A place to restore into whose embedded engine is initialised already: a database in which nobody has signed up counts as empty, and
 * initialising one is half the cost of a restore.
 */
export async function initialisedTarget(
  engine: "embedded" | "postgres",
  lock: Lock,
  masterKey?: Buffer,
): Promise<Target> {
  const target = await emptyTarget(engine, lock, masterKey);
  if (engine === "embedded" && "path" in inject("databaseSnapshot")) await prepareDataFolder(target.config.dataDir);
  return target;
}

/** A database of this version without a row, for tests of what comes after its first start. */
export async function migratedTarget(engine: "embedded" | "postgres", lock: Lock, masterKey?: Buffer): Promise<Target> {
  const target = await initialisedTarget(engine, lock, masterKey);
  if (engine === "postgres") await openDatabase(target.config).then(({ close }) => close());
  return target;
}

/** The columns of each table that hold what was written; generated ones follow from them. */
export async function writtenColumns(client: ClientBase): Promise<Record<string, string[]>> {
  const { rows } = await client.query(`
    select c.relname as name, json_agg(a.attname order by a.attname) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    group by c.oid`);
  return Object.fromEntries(rows.map(({ name, columns }: { name: string; columns: string[] }) => [name, columns]));
}

/**
 * The number of each table's rows and a digest of them, whatever their order. By a superuser's connection, which no row-level security hides
 * anything from.
 * @param columns absent: all that were written
 */
export async function tableDigests(
  client: ClientBase,
  columns?: Record<string, string[]>,
): Promise<Record<string, string>> {
  await client.query("begin; set local timezone = 'UTC'; set local search_path = public");
  const digests: Record<string, string> = {};
  for (const [name, names] of Object.entries(columns ?? (await writtenColumns(client)))) {
    const { rows } = await client.query(`
      select count(*) || ':' || coalesce(md5(string_agg(row, ',' order by row collate "C")), '') as digest
      from (select md5(row(${names.map((one) => `t."${one}"`).join(", ")})::text) as row from "${name}" t) as digests`);
    digests[name] = rows[0].digest;
  }
  await client.query("rollback");
  return digests;
}

/** By a superuser's connection, as `tableDigests`. */
async function spentIds(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query(`
    select format('%I', c.relname) as name, format('%I', a.attname) as column,
      pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attidentity <> ''`);
  const spent: string[] = [];
  for (const { name, column, sequence } of rows as { name: string; column: string; sequence: string }[]) {
    const next = `select last_value + case when is_called then 1 else 0 end from ${sequence}`;
    const asked = await client.query(`select exists (select from ${name} where ${column} >= (${next})) as spent`);
    if (asked.rows[0].spent) spent.push(name);
  }
  return spent;
}

export async function fileDigests(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, "uploads");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const digest = createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
      return [`uploads/${path.slice(folder.length + 1)}`, digest] as const;
    });
  return Object.fromEntries((await Promise.all(found)).sort());
}
