/** Upgrades that are started repeatedly: which backups they make and which ones they delete. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openDatabase } from "#server/platform/db/database.ts";
import {
  before,
  config,
  engine,
  folder,
  lock,
  prepareUpgrades,
  target,
  withMigration,
} from "#server/test/backup/failing-upgrades.ts";
import { type Lock, migratedTarget } from "#server/test/backups.ts";
import { withMigrations } from "#server/test/planted-migrations.ts";
import { GOOD, upgrade } from "#server/test/upgrade-bench.ts";

prepareUpgrades();

const MINUTE = 60_000;

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

test.each<[string, Partial<Lock>]>([
  ["", {}],
  [", which it can no longer open", { identity: null }],
])(
  "a server that is restarted again and again while its migration fails makes one backup%s; another when that one is old or damaged",
  async (_, change) => {
    const place = join(folder, "failing");
    const settings = { ...config, backup: { ...config.backup, ...change, folder: place } };
    const failing = await withMigration("failing", `${GOOD}--> statement-breakpoint\nSELECT 1/0;`);
    const began = Date.now();
    const start = async (minutes: number) => {
      const said: string[] = [];
      const at = new Date(began + minutes * MINUTE);
      await expect(upgrade(failing, settings, said, at)).rejects.toThrow("division by zero");
      return said[0];
    };
    expect(await start(0)).toContain("Сначала копия");
    for (const minutes of [1, 2, 14]) expect(await start(minutes)).toContain("Копия этого обновления уже есть");
    const [first, ...more] = await readdir(place);
    expect(more).toEqual([]);
    expect(first).toMatch(/^before-upgrade-[0-9a-f]{8}-[0-9a-f]{8}-\d{8}T\d{6}Z\.age$/);
    expect(await target.digests()).toEqual(before);

    const whole = await readFile(join(place, first!));
    await writeFile(join(place, first!), whole.subarray(0, 10));
    expect(await start(14.5)).toContain("Сначала копия");
    // Other processes may have written to the database in the meantime.
    for (const minutes of [30, 60]) expect(await start(minutes)).toContain("Сначала копия");
    const kept = await readdir(place);
    expect(kept).toHaveLength(2);
    expect(kept).not.toContain(first);
    // Another upgrade has its own backup.
    const other = await withMigration("other", "SELECT 1/0;");
    const said: string[] = [];
    await expect(upgrade(other, settings, said, new Date(began + 61 * MINUTE))).rejects.toThrow();
    expect(said[0]).toContain("Сначала копия");
    expect(await readdir(place)).toHaveLength(3);
    await rm(place, { recursive: true });
  },
);

test("of former upgrades the backups go but for the last few, and never those of the upgrade that goes on, nor a file of another name", async () => {
  const place = join(folder, "rotated");
  await mkdir(place);
  const settings = { ...config, backup: { ...config.backup, folder: place, keptUpgrades: 2 } };
  const name = (from: string, to: string, at: string) =>
    `before-upgrade-${from.repeat(8)}-${to.repeat(8)}-202501${at}T000000Z.age`;
  // The second-to-last upgrade restarted from the state after its first migration.
  const former = [name("f", "1", "01"), name("1", "0", "02"), name("0", "2", "03"), name("3", "2", "04")];
  const others = ["before-upgrade-mine.age", "twins-20250101T000000Z.age"];
  for (const one of [...former, ...others]) await writeFile(join(place, one), "");
  const failing = await withMigration("rotating", `${GOOD}--> statement-breakpoint\nSELECT 1/0;`);
  const start = (minutes: number) => upgrade(failing, settings, [], new Date(Date.now() + minutes * MINUTE));
  for (const minutes of [0, 20]) await expect(start(minutes)).rejects.toThrow("division by zero");
  const kept = await readdir(place);
  expect(kept.filter((one) => former.includes(one)).sort()).toEqual(former.slice(2));
  expect(kept).toEqual(expect.arrayContaining(others));
  expect(kept).toHaveLength(2 + others.length + 2);

  const alone = { ...settings, backup: { ...settings.backup, keptUpgrades: 1 } };
  const again = upgrade(failing, alone, [], new Date(Date.now() + 40 * MINUTE));
  await expect(again).rejects.toThrow("division by zero");
  const left = await readdir(place);
  expect(left.filter((one) => former.includes(one))).toEqual([]);
  expect(left).toHaveLength(others.length + 2);
  await rm(place, { recursive: true });
});

test("an upgrade that fails at its second migration goes on with the backup that it has made before the first", async () => {
  const own = await migratedTarget(engine, lock, Buffer.alloc(32, 1));
  try {
    const place = join(folder, "second");
    const settings = { ...own.config, backup: { ...own.config.backup, folder: place } };
    await openDatabase(settings).then(({ close }) => close());
    const migrations = await withMigrations({ good: GOOD, failing: "SELECT 1/0;" });
    for (let starts = 0; starts < 3; starts++) await expect(upgrade(migrations, settings)).rejects.toThrow();
    expect(await readdir(place)).toHaveLength(1);
  } finally {
    await own.remove();
  }
});
