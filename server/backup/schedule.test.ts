import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { type Config, readConfig } from "#server/config.ts";
import { createLog } from "#server/log.ts";
import { makeLock } from "#server/test/backups.ts";
import { onServer } from "#server/test/database.ts";
import { prepareDataFolder } from "#server/test/processes/data-folder.ts";
import { readBackupState } from "./last-backup.ts";
import { backUpWhenDue, nameAt, rotate, type ScheduleDeps } from "./schedule.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const HOUR_MS = 3_600_000;
let folder: string;
let environment: Record<string, string>;
let config: Config;
let logged: string[];
let deps: ScheduleDeps;
const database = `scheduled_${process.pid}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-schedule-"));
  const { recipient } = await makeLock();
  environment = {
    DATA_DIR: join(folder, "data"),
    BACKUP_FOLDER: join(folder, "kept"),
    BACKUP_HOURS: "2",
    BACKUP_KEEP: "2",
    BACKUP_RECIPIENT: recipient!,
  };
  const snapshot = inject("databaseSnapshot");
  if ("path" in snapshot) await prepareDataFolder(join(folder, "data"));
  else {
    await onServer(snapshot.url, `create database ${database} template ${snapshot.template}`);
    const url = new URL(snapshot.url);
    url.pathname = `/${database}`;
    Object.assign(environment, { DATABASE_URL: url.href, MASTER_KEY: Buffer.alloc(32, 1).toString("base64") });
  }
  config = readConfig(environment);
  logged = [];
  const log = createLog("info", { write: (line: string) => void logged.push(line) });
  deps = { config, log, environment: { ...environment, PATH: "" } };
});
afterAll(async () => {
  const snapshot = inject("databaseSnapshot");
  if (!("path" in snapshot)) await onServer(snapshot.url, `drop database if exists ${database} with (force)`);
  await rm(folder, { recursive: true, force: true });
});

const kept = () => readdir(config.backup.folder!);

test("a backup is made when the last one is old enough, only the newest are kept, and a failure is logged, kept and not repeated at once", async () => {
  const [first, second, third] = [0, 2, 4].map((hours) => new Date(Date.UTC(2026, 0, 1, hours)));
  await mkdir(config.backup.folder!);
  for (const name of [nameAt(first!), nameAt(second!), "mine.age"])
    await writeFile(join(config.backup.folder!, name), "");
  await backUpWhenDue(deps, undefined, third);
  expect((await kept()).sort()).toEqual(["mine.age", nameAt(second!), nameAt(third!)].sort());
  const { last } = await readBackupState(config.dataDir);
  expect(last).toMatchObject({ file: join(config.backup.folder!, nameAt(third!)), verified: true });
  expect(last!.bytes).toBeGreaterThan(1000);
  await backUpWhenDue(deps, undefined, new Date(third!.getTime() + 2 * HOUR_MS - 1000));
  expect(await kept()).toHaveLength(3);

  const { BACKUP_RECIPIENT: _, BACKUP_FOLDER: __, ...unlocked } = environment;
  const broken = { ...deps, environment: unlocked };
  const now = Date.now();
  await backUpWhenDue(broken, undefined, new Date(now));
  const { failure, last: still } = await readBackupState(config.dataDir);
  expect(failure!.reason).toContain("BACKUP_PASSPHRASE");
  expect(still!.file).toBe(join(config.backup.folder!, nameAt(third!)));
  const failures = () => logged.filter((line) => line.includes("a scheduled backup failed")).length;
  expect(failures()).toBe(1);
  await backUpWhenDue(broken, undefined, new Date(now + HOUR_MS / 2));
  expect(failures()).toBe(1);
  expect(await kept()).toHaveLength(3);
  // The folder of the settings is made where it is missing.
  const place = join(folder, "new", "place");
  const moved = { ...deps, config: { ...config, backup: { ...config.backup, folder: place } } };
  await backUpWhenDue(moved, undefined, new Date(now + HOUR_MS / 2));
  expect(await readdir(place)).toEqual([]);
});

test("what a killed backup has left is removed with the next one, and fewer than are to be kept all stay", async () => {
  const place = join(folder, "left");
  await mkdir(place);
  const name = nameAt(new Date());
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
