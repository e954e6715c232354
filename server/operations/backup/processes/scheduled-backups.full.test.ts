import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readBackupState } from "#server/operations/backup/last-backup.ts";
import { backUpWhenDue, backupNameAt } from "#server/operations/backup/schedule.ts";
import {
  config,
  deps,
  environment,
  folder,
  HOUR_MS,
  kept,
  logged,
  prepareSchedule,
} from "#server/test/backup/schedule-bench.ts";

prepareSchedule();

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

test("a backup is made when the last one is old enough, only the newest are kept, and a failure is logged, kept and not repeated at once", async () => {
  const [first, second, third] = [0, 2, 4].map((hours) => new Date(Date.UTC(2026, 0, 1, hours)));
  await mkdir(config.backup.folder!);
  for (const name of [backupNameAt(first!), backupNameAt(second!), "mine.age"])
    await writeFile(join(config.backup.folder!, name), "");
  await backUpWhenDue(deps, undefined, third);
  expect((await kept()).sort()).toEqual(["mine.age", backupNameAt(second!), backupNameAt(third!)].sort());
  const { last } = await readBackupState(config.dataDir);
  expect(last).toMatchObject({ file: join(config.backup.folder!, backupNameAt(third!)), verified: true });
  expect(last!.bytes).toBeGreaterThan(1000);
  await backUpWhenDue(deps, undefined, new Date(third!.getTime() + 2 * HOUR_MS - 1000));
  expect(await kept()).toHaveLength(3);

  const { BACKUP_RECIPIENT: _, BACKUP_FOLDER: __, ...unlocked } = environment;
  const broken = { ...deps, environment: unlocked };
  const now = Date.now();
  await backUpWhenDue(broken, undefined, new Date(now));
  const { failure, last: still } = await readBackupState(config.dataDir);
  expect(failure!.reason).toContain("BACKUP_PASSPHRASE");
  expect(still!.file).toBe(join(config.backup.folder!, backupNameAt(third!)));
  const failures = () => logged.filter((line) => line.includes("a scheduled backup failed")).length;
  expect(failures()).toBe(1);
  await backUpWhenDue(broken, undefined, new Date(now + HOUR_MS / 2));
  expect(failures()).toBe(1);
  expect(await kept()).toHaveLength(3);
  // A missing folder from the settings is created.
  const place = join(folder, "new", "place");
  const moved = { ...deps, config: { ...config, backup: { ...config.backup, folder: place } } };
  await backUpWhenDue(moved, undefined, new Date(now + HOUR_MS / 2));
  expect(await readdir(place)).toEqual([]);
});
