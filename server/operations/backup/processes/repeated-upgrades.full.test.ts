import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openDatabase } from "#server/platform/db/database.ts";
import { engine, folder, lock, prepareUpgrades } from "#server/test/backup/failing-upgrades.ts";
import { migratedTarget } from "#server/test/backups.ts";
import { withMigrations } from "#server/test/planted-migrations.ts";
import { GOOD, upgrade } from "#server/test/upgrade-bench.ts";

prepareUpgrades();

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

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
