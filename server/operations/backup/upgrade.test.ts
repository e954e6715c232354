import { readdir } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { NewerDatabase } from "#server/platform/db/check-database.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { before, config, prepareUpgrades, target, withMigration } from "#server/test/backup/failing-upgrades.ts";
import { GOOD, rowsOf, upgrade } from "#server/test/upgrade-bench.ts";
import { BackupError } from "./backup-error.ts";

prepareUpgrades();

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

test("a migration that fails, or whose backup fails, leaves every row as it was", async () => {
  const broken = await withMigration("broken", `${GOOD}--> statement-breakpoint\nSELECT 1/0;`);
  await expect(upgrade(broken, { ...config, backup: { ...config.backup, folder: null } })).rejects.toThrow();
  expect(await target.digests()).toEqual(before);
  const good = await withMigration("unlocked", GOOD);
  const unlocked = { ...config, backup: { ...config.backup, recipient: null } };
  await expect(upgrade(good, unlocked)).rejects.toThrow(BackupError);
  expect(await target.digests()).toEqual(before);
});

test("an upgrade makes a backup first, loses no row, and the former version refuses the database", async () => {
  const planted = await withMigration("planted", GOOD);
  const said: string[] = [];
  await upgrade(planted, config, said);
  expect(said[0]).toContain("Сначала копия");
  const { organizations: changed, ...others } = await target.digests();
  const { organizations: former, ...same } = before;
  expect(others).toEqual(same);
  expect(changed).not.toBe(former);
  const wrong = "select count(*)::int as wrong from organizations where planted is distinct from name || '!'";
  expect(await rowsOf(config, wrong)).toEqual([{ wrong: 0 }]);
  await upgrade(planted, config, said);
  expect(await readdir(config.backup.folder!)).toHaveLength(1);

  await expect(openDatabase(config)).rejects.toThrow(NewerDatabase);
});
