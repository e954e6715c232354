import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { config, deps, folder, HOUR_MS, kept, logged, prepareSchedule } from "#server/test/backup/schedule-bench.ts";
import { readBackupState, recordFailure } from "./last-backup.ts";
import { backUpWhenDue, backupNameAt, rotate, type ScheduleDeps, startBackups } from "./schedule.ts";

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

/** Another program runs in place of the command, which `test:full` runs whole. It ends like one of the command's outcomes. */
const withCommand = (program: string): ScheduleDeps => ({
  ...deps,
  environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` },
});
const WRITES = "import { writeFileSync } from 'node:fs'; writeFileSync(process.argv.at(-1), ''); process.exit(0)";
const failures = () => logged.filter((line) => line.includes("a scheduled backup failed")).length;

test("a backup is made when the last one is old enough, and only the newest are kept", async () => {
  const [first, second, third] = [0, 2, 4].map((hours) => new Date(Date.UTC(2026, 0, 1, hours)));
  await mkdir(config.backup.folder!);
  for (const name of [backupNameAt(first!), backupNameAt(second!), "mine.age"])
    await writeFile(join(config.backup.folder!, name), "");
  await backUpWhenDue(withCommand(WRITES), undefined, third);
  const newest = ["mine.age", backupNameAt(second!), backupNameAt(third!)].sort();
  expect((await kept()).sort()).toEqual(newest);
  await backUpWhenDue(withCommand(WRITES), undefined, new Date(third!.getTime() + 2 * HOUR_MS - 1000));
  expect((await kept()).sort()).toEqual(newest);
});

test("a process that was killed is a failure with a reason, and is not repeated at once; one that another server has forestalled or that the end of this one stops is none", async () => {
  const now = Date.now();
  await backUpWhenDue(withCommand("process.exit(75)"), undefined, new Date(now));
  await backUpWhenDue(withCommand("process.exit(1)"), AbortSignal.abort(), new Date(now));
  expect((await readBackupState(config.dataDir)).failure).toBeNull();
  expect(failures()).toBe(0);
  await backUpWhenDue(withCommand("process.kill(process.pid, 'SIGKILL')"), undefined, new Date(now));
  const { failure } = await readBackupState(config.dataDir);
  expect(failure!.reason).toBe("Копию не удалось сделать: её процесс был прерван.");
  expect(failures()).toBe(1);
  const before = await kept();
  await backUpWhenDue(withCommand(WRITES), undefined, new Date(now + HOUR_MS / 2));
  expect(await kept()).toEqual(before);
  // The reason that the process itself has written stays.
  await recordFailure(config.dataDir, "На диске нет места");
  await backUpWhenDue(withCommand("process.exit(1)"), undefined, new Date(now - 2 * HOUR_MS));
  expect((await readBackupState(config.dataDir)).failure!.reason).toBe("На диске нет места");
});

test("the clock makes the backups of a server with a folder for them, and a folder that cannot be made is logged", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const settings = (place: string | null) => ({ ...config, backup: { ...config.backup, folder: place } });
  const without = startBackups({ ...withCommand(WRITES), config: settings(null) });
  const place = join(folder, "new", "place");
  const dataDir = join(folder, "another");
  const stop = startBackups({ ...withCommand(WRITES), config: { ...settings(place), dataDir } });
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => readdir(place).catch(() => [])).toHaveLength(1);
  await Promise.all([without(), stop()]);
  const before = failures();
  await writeFile(join(folder, "file"), "");
  const broken = startBackups({ ...withCommand(WRITES), config: settings(join(folder, "file", "below")) });
  vi.advanceTimersByTime(60_000);
  await broken();
  expect(failures()).toBe(before + 1);
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
