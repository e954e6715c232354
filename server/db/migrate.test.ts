/** How migrations run on a database that others use. */
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { openRawDatabase } from "#server/backup/raw-database.ts";
import { emptyTarget, makeLock, type Target } from "#server/test/backups.ts";
import { withMigrations, withoutLast } from "#server/test/planted-migrations.ts";
import { openDatabase } from "./database.ts";
import { type MigrationOptions, TablesHeld } from "./migrate.ts";

vi.setConfig({ testTimeout: 300_000 });

const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
const onPostgres = test.skipIf(engine === "embedded");

let target: Target;
beforeEach(async () => {
  target = await emptyTarget(engine, await makeLock());
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

/** A reader that does not end: whatever changes the table waits for it. */
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
    // The one before it is done. Readers and writers of the held table come to their turn while the migration still waits for it.
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
