/** Runs migrations on a database that others use. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { openRawDatabase } from "#server/operations/backup/raw-database.ts";
import { initialisedTarget, makeLock, type Target } from "#server/test/backups.ts";
import { onServer } from "#server/test/database.ts";
import { withMigrations, withoutLast } from "#server/test/planted-migrations.ts";
import { OutdatedDatabase } from "./check-database.ts";
import { openDatabase } from "./database.ts";
import { type MigrationOptions, TablesHeld } from "./migrate.ts";

vi.setConfig({ testTimeout: 300_000 });

const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
const onPostgres = test.skipIf(engine === "embedded");

let target: Target;
beforeEach(async () => {
  // The embedded engine starts from a migrated database, as a previous start leaves it.
  target = await initialisedTarget(engine, await makeLock());
});
afterEach(() => target.remove());

async function open(options: MigrationOptions = {}): Promise<void> {
  const { close } = await openDatabase({ ...target.config, ...options });
  await close();
}

async function rows(query: string): Promise<Record<string, unknown>[]> {
  const raw = await openRawDatabase(target.config);
  try {
    return (await raw.client.query(query)).rows;
  } finally {
    await raw.close();
  }
}

const columns =
  "select column_name as name from information_schema.columns where column_name like 'planted%' order by 1";
const run = "select count(*)::int as run from drizzle.__drizzle_migrations";

test("a migration that fails leaves those before it done and recorded, and the next start begins with it", async () => {
  await open();
  const [{ run: known }] = (await rows(run)) as [{ run: number }];
  const first = "ALTER TABLE organizations ADD COLUMN planted text;";
  const broken = await withMigrations({
    first,
    second: "ALTER TABLE organizations ADD COLUMN planted_too text;--> statement-breakpoint\nSELECT 1/0;",
  });
  await expect(open({ migrationsFolder: broken })).rejects.toThrow();
  expect(await rows(columns)).toEqual([{ name: "planted" }]);
  expect(await rows(run)).toEqual([{ run: known + 1 }]);
  const mended = await withMigrations({ first, second: "ALTER TABLE organizations ADD COLUMN planted_too text;" });
  const upgrades: number[] = [];
  await open({
    migrationsFolder: mended,
    beforeUpgrade: async (_, { missing }) => void upgrades.push(missing.length),
  });
  expect(upgrades).toEqual([1]);
  expect(await rows(columns)).toEqual([{ name: "planted" }, { name: "planted_too" }]);
});

test("a database of before 0.2.0 is refused, and left as it is", async () => {
  await open();
  await rows("update drizzle.__drizzle_migrations set created_at = 1 where id = 1");
  const planted = await withMigrations({ first: "ALTER TABLE organizations ADD COLUMN planted text;" });
  await expect(open({ migrationsFolder: planted })).rejects.toThrow(OutdatedDatabase);
  expect(await rows(columns)).toEqual([]);
});

/** Opens a reader that does not end, for which every change of the table must wait. */
async function holdTable(): Promise<{ letGo(): Promise<void> }> {
  const client = new pg.Client({ connectionString: target.config.databaseUrl! });
  await client.connect();
  await client.query("begin; select count(*) from organizations");
  return { letGo: () => client.end() };
}

onPostgres(
  "a migration that must wait for a table lets the others pass, says so, and is done when it is free",
  async () => {
    await open();
    const planted = await withMigrations({
      first: "ALTER TABLE users ADD COLUMN planted text;",
      second: "ALTER TABLE organizations ADD COLUMN planted_too text;",
    });
    const held = await holdTable();
    const said: string[] = [];
    const upgrade = open({ migrationsFolder: planted, lockMs: 200, say: (line) => void said.push(line) });
    await expect.poll(() => said.length, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(said[0]).toMatch(/занята другим запросом.*попытка 1 из 30/);
    // The earlier migration is done. Readers and writers of the locked table proceed while the later migration still waits.
    expect(await rows(columns)).toEqual([{ name: "planted" }]);
    await rows("insert into organizations (name) values ('Новая')");
    expect(await rows("select count(*)::int as count from organizations")).toEqual([{ count: 1 }]);
    await held.letGo();
    await upgrade;
    expect(await rows(columns)).toEqual([{ name: "planted" }, { name: "planted_too" }]);
  },
);

onPostgres(
  "a table that is held through all tries ends the start with a sentence, and nothing is changed",
  async () => {
    await open();
    const planted = await withMigrations({ only: "ALTER TABLE organizations ADD COLUMN planted text;" });
    const held = await holdTable();
    try {
      await expect(open({ migrationsFolder: planted, lockMs: 1, longestPauseMs: 1 })).rejects.toThrow(TablesHeld);
      expect(await rows(columns)).toEqual([]);
    } finally {
      await held.letGo();
    }
  },
);

const WITH_INDEX =
  "ALTER TABLE organizations ADD COLUMN planted text;--> statement-breakpoint\n" +
  'CREATE INDEX "planted_index" ON "organizations" USING btree ("planted");';
const index = "select indisvalid as whole from pg_index where indexrelid = to_regclass('planted_index')";
const pending = "select name from drizzle.pending_indexes";

/** Opens a transaction with a snapshot from before the index, for which the concurrent build must wait. */
async function holdSnapshot(): Promise<{ letGo(): Promise<void> }> {
  const client = new pg.Client({ connectionString: target.config.databaseUrl! });
  await client.connect();
  await client.query("begin isolation level repeatable read; select count(*) from users");
  return { letGo: () => client.end() };
}

const building =
  "select pid from pg_stat_activity where query ~* '^\\s*create index concurrently .planted' and state = 'active'";

onPostgres(
  "an index of a table in use is built beside those who write to it, also while it waits for somebody",
  async () => {
    await open();
    const planted = await withMigrations({ only: WITH_INDEX });
    const held = await holdSnapshot();
    const said: string[] = [];
    const upgrade = open({ migrationsFolder: planted, lockMs: 200, say: (line) => void said.push(line) });
    await expect.poll(() => rows(building), { timeout: 60_000 }).toHaveLength(1);
    expect(await rows(pending)).toEqual([{ name: "planted_index" }]);
    await rows("set statement_timeout = 5000; insert into organizations (name) values ('Новая')");
    // A second start waits for the index without holding a snapshot that would block it.
    const other = open({ migrationsFolder: planted });
    await held.letGo();
    await Promise.all([upgrade, other]);
    expect(said).toEqual([
      "Обновление: строю индекс таблицы organizations (planted_index). Читать и писать в неё можно.",
    ]);
    expect(await rows(index)).toEqual([{ whole: true }]);
    expect(await rows(pending)).toEqual([]);
  },
);

onPostgres(
  "an index whose building was cut short is made anew by the next start, which has no migration to run",
  async () => {
    await open();
    const planted = await withMigrations({ only: WITH_INDEX });
    const held = await holdSnapshot();
    const upgrade = open({ migrationsFolder: planted });
    const failed = expect(upgrade).rejects.toThrow(/canceling statement/);
    await expect.poll(() => rows(building), { timeout: 60_000 }).toHaveLength(1);
    await rows(`select pg_cancel_backend(pid) from (${building}) as found`);
    await failed;
    await held.letGo();
    expect(await rows(index)).toEqual([{ whole: false }]);
    await open({ migrationsFolder: planted });
    expect(await rows(index)).toEqual([{ whole: true }]);
    expect(await rows(pending)).toEqual([]);
  },
);

onPostgres("an index that takes the place of another of its name is built before that one is dropped", async () => {
  await open();
  const first = WITH_INDEX;
  await open({ migrationsFolder: await withMigrations({ first }) });
  const second =
    'DROP INDEX "planted_index";--> statement-breakpoint\n' +
    'CREATE INDEX "planted_index" ON "organizations" USING btree ("planted","id");';
  const held = await holdSnapshot();
  const upgrade = open({ migrationsFolder: await withMigrations({ first, second }) });
  await expect.poll(() => rows(building), { timeout: 60_000 }).toHaveLength(1);
  const indexes =
    "select indexname as name, indexdef as of from pg_indexes where indexname like 'planted_index%' order by 1 desc";
  expect(await rows(indexes)).toEqual([
    { name: "planted_index_former", of: expect.stringContaining("(planted)") },
    { name: "planted_index", of: expect.stringContaining("(planted, id)") },
  ]);
  await held.letGo();
  await upgrade;
  expect(await rows(indexes)).toEqual([{ name: "planted_index", of: expect.stringContaining("(planted, id)") }]);
});

test("a table that the migration itself makes or replaces gets its indexes within the migration", async () => {
  await open();
  const replaced = await withMigrations({
    first: "CREATE TABLE planted (id int, name text);",
    second:
      "DROP TABLE planted;--> statement-breakpoint\nCREATE TABLE planted (id int, name text) PARTITION BY RANGE (id);--> statement-breakpoint\n" +
      'CREATE INDEX "planted_index" ON "planted" USING btree ("name");',
  });
  await open({ migrationsFolder: replaced });
  expect(await rows(index)).toEqual([{ whole: true }]);
  expect(await rows("select to_regclass('drizzle.pending_indexes') as noted")).toEqual([{ noted: null }]);
});

onPostgres(
  "who leaves upgrades to others waits for one without being in its way, and creates a new database itself",
  async () => {
    await open({ waitForUpgrade: true, migrationsFolder: await withoutLast(1) });
    const said: string[] = [];
    let waited = true;
    const waiting = open({ waitForUpgrade: true, say: (line) => void said.push(line) }).finally(() => {
      waited = false;
    });
    await expect.poll(() => said.length, { timeout: 60_000 }).toBe(1);
    expect(said[0]).toMatch(/База ещё не обновлена \(изменений: 1\).*ROLE=worker/);
    const before = await rows(run);
    let backedUp = false;
    await open({
      beforeUpgrade: async () => {
        backedUp = waited;
      },
    });
    expect(backedUp, "it waited while the other made its backup").toBe(true);
    await waiting;
    expect(await rows(run)).toEqual([{ run: (before[0]!.run as number) + 1 }]);
  },
);

onPostgres("a new database whose locale knows Latin letters alone is refused before anything is made", async () => {
  const given = inject("databaseSnapshot");
  if ("path" in given) return;
  const url = new URL(given.url);
  const name = `latin_${randomUUID().replaceAll("-", "")}`;
  url.pathname = `/${name}`;
  await onServer(given.url, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  try {
    await expect(openDatabase({ databaseUrl: url.href, dataDir: "" })).rejects.toThrow("локаль C");
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    const { rows } = await client.query("select count(*)::int as tables from pg_tables where schemaname = 'public'");
    await client.end();
    expect(rows).toEqual([{ tables: 0 }]);
  } finally {
    await onServer(given.url, `drop database if exists ${name} with (force)`);
  }
});
