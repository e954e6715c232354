import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { config, deps, folder, HOUR_MS, kept, logged, prepareSchedule } from "#server/test/backup/schedule-bench.ts";
import { readBackupState } from "./last-backup.ts";
import { backUpWhenDue, backupNameAt, rotate } from "./schedule.ts";

prepareSchedule();

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

test("what a killed backup has left is removed with the next one, and fewer than are to be kept all stay", async () => {
  const place = join(folder, "left");
  await mkdir(place);
  const name = backupNameAt(new Date());
  for (const one of [name, `${name}.part`, "other.part"]) await writeFile(join(place, one), "");
  await rotate(place, 7);
  expect((await readdir(place)).sort()).toEqual(["other.part", name].sort());
});

test.skipIf("path" in inject("databaseSnapshot"))(
  "a backup that another server is making is no failure of this one",
  async () => {
    const { failure } = await readBackupState(config.dataDir);
    const server = new pg.Client({ connectionString: config.databaseUrl! });
    await server.connect();
    onTestFinished(() => server.end());
    await server.query("select pg_advisory_lock(727460010)");
    const before = { kept: await kept(), logged: logged.length };
    await backUpWhenDue(deps, undefined, new Date(Date.now() + 10 * HOUR_MS));
    expect({ kept: await kept(), logged: logged.length }).toEqual(before);
    expect((await readBackupState(config.dataDir)).failure).toEqual(failure);
  },
);
