/** Upgrades that are started repeatedly: which backups they make and which ones they delete. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MigrationMeta } from "drizzle-orm/migrator";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Config, readConfig } from "#server/platform/config.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { type Lock, makeLock } from "#server/test/backups.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { backUpBeforeUpgrade } from "../before-upgrade.ts";

const MINUTE = 60_000;
let folder: string;
let lock: Lock;
let database: OpenDatabase;
let client: PoolClient;
let done: MigrationMeta[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-before-upgrade-"));
  lock = await makeLock();
  database = await openTestDatabase();
  client = await database.db.$client.connect();
  const { rows } = await client.query("select hash from drizzle.__drizzle_migrations order by created_at");
  done = rows.map(({ hash }) => migration(hash));
});
afterAll(async () => {
  client.release();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const migration = (hash: string): MigrationMeta => ({ sql: [], folderMillis: 0, hash, bps: true });

function settingsWith(place: string | null, change: Partial<Config["backup"]> = {}): Config {
  const config = readConfig({ NODE_ENV: "test", DATA_DIR: join(folder, "data") });
  const backup = { ...config.backup, ...lock, folder: place, ...change };
  return { ...config, masterKey: Buffer.alloc(32, 1), backup };
}

/** Starts an upgrade to the migration with this hash. @returns what the operator reads first */
async function start(settings: Config, at: number, { aim = "a", since = done } = {}): Promise<string> {
  const said: string[] = [];
  const upgrade = { done: since, missing: [migration(aim.repeat(64))] };
  await backUpBeforeUpgrade(settings, client, upgrade, (line) => void said.push(line), new Date(at));
  return said[0]!;
}

test("a server that is restarted again and again while its migration fails makes one backup; another when that one is old or damaged", async () => {
  const place = await mkdtemp(join(folder, "failing-"));
  const settings = settingsWith(place);
  const began = Date.now();
  const after = (minutes: number) => start(settings, began + minutes * MINUTE);
  expect(await after(0)).toContain("Сначала копия");
  expect(await after(14)).toContain("Копия этого обновления уже есть");
  const [first, ...more] = await readdir(place);
  expect(more).toEqual([]);
  expect(first).toMatch(/^before-upgrade-[0-9a-f]{8}-[0-9a-f]{8}-\d{8}T\d{6}Z\.age$/);
  // The first migration was applied, the second one failed.
  const further = { since: [...done, migration("b".repeat(64))] };
  expect(await start(settings, began + 14 * MINUTE, further)).toContain("Копия этого обновления уже есть");

  const whole = await readFile(join(place, first!));
  await writeFile(join(place, first!), whole.subarray(0, 10));
  expect(await after(14.5)).toContain("Сначала копия");
  // Other processes may have written to the database in the meantime.
  expect(await after(30)).toContain("Сначала копия");
  const kept = await readdir(place);
  expect(kept).toHaveLength(2);
  expect(kept).not.toContain(first);
  // Another upgrade has its own backup.
  expect(await start(settings, began + 31 * MINUTE, { aim: "c" })).toContain("Сначала копия");
  expect(await readdir(place)).toHaveLength(3);
});

test("a backup that the server can no longer open counts while it begins like one", async () => {
  const place = await mkdtemp(join(folder, "closed-"));
  const settings = settingsWith(place, { identity: null });
  const began = Date.now();
  expect(await start(settings, began)).toContain("Сначала копия");
  expect(await start(settings, began + MINUTE)).toContain("Копия этого обновления уже есть");
  const [name] = await readdir(place);
  await writeFile(join(place, name!), "age");
  expect(await start(settings, began + 2 * MINUTE)).toContain("Сначала копия");
});

test("of former upgrades the backups go but for the last few, and never those of the upgrade that goes on, nor a file of another name", async () => {
  const place = join(folder, "rotated");
  await mkdir(place);
  const settings = settingsWith(place, { keptUpgrades: 2 });
  const name = (from: string, to: string, at: string) =>
    `before-upgrade-${from.repeat(8)}-${to.repeat(8)}-202501${at}T000000Z.age`;
  // The second-to-last upgrade restarted from the state after its first migration.
  const former = [name("f", "1", "01"), name("1", "0", "02"), name("0", "2", "03"), name("3", "2", "04")];
  const others = ["before-upgrade-mine.age", "twins-20250101T000000Z.age"];
  for (const one of [...former, ...others]) await writeFile(join(place, one), "");
  const began = Date.now();
  for (const minutes of [0, 20]) await start(settings, began + minutes * MINUTE);
  const kept = await readdir(place);
  expect(kept.filter((one) => former.includes(one)).sort()).toEqual(former.slice(2));
  expect(kept).toEqual(expect.arrayContaining(others));
  expect(kept).toHaveLength(2 + others.length + 2);
  await start(settingsWith(place, { keptUpgrades: 1 }), began + 40 * MINUTE);
  const left = await readdir(place);
  expect(left.filter((one) => former.includes(one))).toEqual([]);
  expect(left).toHaveLength(others.length + 2);
});

test("without a folder for backups the upgrade says that none is made", async () => {
  expect(await start(settingsWith(null), Date.now())).toBe(
    "Обновляю базу (изменений: 1). Копия перед этим не делается: не задана BACKUP_FOLDER.",
  );
});
