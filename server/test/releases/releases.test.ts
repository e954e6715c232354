/**
 * Data that a release has left is upgraded to now without losing or doubling a row. Each release leaves its fixture before it is tagged:
 * `RELEASE=0.3.0 npm run unit -- server/test/releases` writes a backup of a workspace that holds something of everything, and the
 * ledger of its rows (docs/decisions/078).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { ClientBase } from "pg";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { openerOf } from "#server/backup/age-file.ts";
import { readBackup } from "#server/backup/read-backup.ts";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { MIGRATIONS } from "#server/db/database.ts";
import { UPGRADE_LOCK } from "#server/db/migrate.ts";
import { configuredKeys } from "#server/records/master-key/key-ring.ts";
import { SEALED_COLUMNS } from "#server/records/master-key/sealed-columns.ts";
import { backUp, emptyTarget, fileDigests, type Lock, tableDigests, writtenColumns } from "../backups.ts";
import { makeThings } from "../endpoints/make-things.ts";
import { fillTheRest } from "../privacy/deletion/one-of-everything.ts";
import { testApp } from "../test-app.ts";

vi.setConfig({ testTimeout: 2_400_000 });

interface Ledger {
  /** The tables' columns when the release was made. */
  columns: Record<string, string[]>;
  /** A digest for each table's rows in these columns, and one for each stored file. */
  digests: Record<string, string>;
}

/** Not a secret: what it locks stands here for everybody. */
const LOCK: Lock = { passphrase: "data of a release", recipient: null, identity: null };
/** Bytes around a secret of no length (secrets/vault.ts). */
const SHORTEST_SEALED = 93;
/** Bytes; the repository keeps every release's for ever. */
const LARGEST = 200 * 1024;
/** Statements around a migration's own: begin, lock_timeout, its record, commit. */
const TRANSACTION = 4;
const making = process.env.RELEASE;
const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
const fileOf = (release: string) => join(import.meta.dirname, `${release}.age`);
const ledgerOf = (release: string) => join(import.meta.dirname, `${release}.json`);
const releases = readdirSync(import.meta.dirname).flatMap((name) =>
  name.endsWith(".age") ? [name.slice(0, -".age".length)] : [],
);

test.skipIf(making === undefined)("a release leaves its data and the ledger of its rows", async () => {
  const file = fileOf(making!);
  expect(existsSync(file), "a release's data never change").toBe(false);
  const t = await testApp();
  onTestFinished(() => t.close());
  const owner = await t.signUp();
  await fillTheRest(t, owner, await makeThings(t, owner));
  await t.jobsIdle();
  await t.services.jobs.stop(2000);
  const { db, config } = t.services;
  // Bytes that stand for secrets and are none.
  for (const { table, column } of SEALED_COLUMNS) {
    await db.execute(
      sql`delete from ${sql.identifier(table)} where octet_length(${sql.identifier(column)}) < ${SHORTEST_SEALED}`,
    );
  }
  const client = await db.$client.connect();
  const columns = await writtenColumns(client);
  const digests = { ...(await tableDigests(client)), ...(await fileDigests(config.dataDir)) };
  client.release();
  await backUp(t, file, LOCK);
  expect(configuredKeys(config).length).toBeGreaterThan(0);
  if ((await stat(file)).size > LARGEST) await rm(file);
  expect(existsSync(file), `more than ${LARGEST} bytes`).toBe(true);
  await writeFile(ledgerOf(making!), `${JSON.stringify({ columns, digests } satisfies Ledger, null, 2)}\n`);
});

test("every release from 0.2.0 on has left its data", () => {
  expect(releases).toContain("0.2.0");
});

test.each(releases)("the data of %s are upgraded to now: nothing is lost, nothing is there twice", async (release) => {
  const { columns, digests }: Ledger = JSON.parse(await readFile(ledgerOf(release), "utf8"));
  const target = await emptyTarget(engine, LOCK);
  onTestFinished(() => target.remove());
  await restoreBackup(target.config, fileOf(release), { goOn: true, say: () => {} });
  // A restore writes of itself which models' files are missing, and seals the keys anew.
  const { local_models: _, master_keys: __, ...restored } = await target.digests(columns);
  const { local_models: ___, master_keys: ____, ...expected } = digests;
  expect(Object.keys(expected).length).toBeGreaterThan(40);
  expect(restored).toEqual(expected);
  expect(await target.spentIds()).toEqual([]);
});

/** This code's migrations as far as the release's data had run them, and the statements of each that came after. */
async function migrationsAt(release: string): Promise<{ folder: string; later: string[][] }> {
  const { manifest } = await readBackup(fileOf(release), openerOf(LOCK));
  const known = manifest.migrations.length;
  const folder = await mkdtemp(join(tmpdir(), "dt-released-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(MIGRATIONS, folder, { recursive: true });
  const journal = join(folder, "meta/_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(journal, "utf8"));
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, known) }));
  const later = readMigrationFiles({ migrationsFolder: MIGRATIONS }).slice(known);
  return { folder, later: later.map(({ sql: statements }) => statements) };
}

/**
 * After which of its statements a migration is killed: each on PostgreSQL. On the embedded engine a start takes seconds and a statement of
 * a transaction is like the next, so there it is the begin, one amid the migration, its record, and the commit.
 */
function isKilledAt(at: number, { length }: readonly string[] = []): boolean {
  const withTransaction = length + TRANSACTION;
  return engine === "postgres" || at === 1 || at === Math.ceil(withTransaction / 2) || at >= withTransaction - 1;
}

/** On PostgreSQL an index that another of its name replaces is dropped under another name, once that is built. */
function isReplaced(statement: string, ofMigration: readonly string[]): boolean {
  const [, name] = /^\s*DROP INDEX ("\w+")/.exec(statement) ?? [];
  return name !== undefined && ofMigration.some((one) => one.trim().startsWith(`CREATE INDEX ${name}`));
}

/** Indexes that the upgrade has still to build. */
async function countPending(client: ClientBase): Promise<number> {
  const { rows } = await client.query("select to_regclass('drizzle.pending_indexes') is not null as noted");
  if (!rows[0].noted) return 0;
  return (await client.query("select count(*)::int as left from drizzle.pending_indexes")).rows[0].left;
}

/** As the child writes a statement. */
const shortened = (statement: string) => statement.trim().slice(0, 60).replaceAll(/\s+/g, " ").trim();

test.each(releases)(
  "an upgrade of %s that is killed at any statement leaves every row, and the next start goes on",
  async (release) => {
    const { columns, digests }: Ledger = JSON.parse(await readFile(ledgerOf(release), "utf8"));
    const target = await emptyTarget(engine, LOCK);
    onTestFinished(() => target.remove());
    const { databaseUrl, dataDir } = target.config;
    const released = await migrationsAt(release);
    await restoreBackup(target.config, fileOf(release), {
      goOn: true,
      say: () => {},
      migrationsFolder: released.folder,
    });
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
    const killedAt: string[] = [];
    let { run: done, pending: left } = before;
    for (let at = 1; ; at++) {
      if (!isKilledAt(at, released.later[done - before.run])) continue;
      const child = spawn(process.execPath, [
        join(import.meta.dirname, "upgrade-kill-child.ts"),
        dataDir,
        databaseUrl ?? "-",
        String(at),
      ]);
      const said = { out: "", err: "" };
      child.stdout.on("data", (chunk) => {
        said.out += chunk;
      });
      child.stderr.on("data", (chunk) => {
        said.err += chunk;
      });
      const [code, signal] = await once(child, "close");
      if (code === 0) break;
      expect(signal, said.err).toBe("SIGKILL");
      killedAt.push(said.out.trim().split("\n").at(-1)!);
      const { run, pending, ledger } = await look();
      expect(ledger, `killed at ${killedAt.at(-1)}`).toEqual(expected);
      // Each migration is a transaction of its own, each index a step: the next one begins, and is killed from its first statement on.
      if (run > done || pending < left) at = 0;
      done = run;
      left = pending;
    }
    const found = killedAt.map((line) => line.slice(line.indexOf(" ") + 1));
    expect(found).toEqual(expect.arrayContaining(["begin", "commit"]));
    for (const statements of released.later) {
      if (engine === "embedded") expect(statements.map(shortened).some((sent) => found.includes(sent))).toBe(true);
      else {
        const sent = statements.filter((statement) => !isReplaced(statement, statements)).map(shortened);
        expect(found).toEqual(expect.arrayContaining(sent));
      }
    }
    const { entries } = JSON.parse(await readFile(join(MIGRATIONS, "meta/_journal.json"), "utf8"));
    expect(await look()).toEqual({ run: entries.length, pending: 0, ledger: expected });
    const indexes = await target.look(async (client) => {
      const { rows } = await client.query("select count(*)::int as broken from pg_index where not indisvalid");
      return rows[0];
    });
    expect(indexes).toEqual({ broken: 0 });
  },
);
