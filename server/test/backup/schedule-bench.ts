/** A server that makes backups. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import type { ScheduleDeps } from "#server/operations/backup/schedule.ts";
import { type Config, readConfig } from "#server/platform/config.ts";
import { createLog } from "#server/platform/log.ts";
import { makeLock } from "#server/test/backups.ts";
import { onServer } from "#server/test/database.ts";
import { prepareDataFolder } from "#server/test/processes/data-folder.ts";

export const HOUR_MS = 3_600_000;
export let folder: string;
export let environment: Record<string, string>;
export let config: Config;
export let logged: string[];
export let deps: ScheduleDeps;
const database = `scheduled_${process.pid}`;

export const kept = () => readdir(config.backup.folder!);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareSchedule(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dt-schedule-"));
    const { recipient } = await makeLock();
    environment = {
      DATA_DIR: join(folder, "data"),
      BACKUP_FOLDER: join(folder, "kept"),
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
    Object.assign(config.backup, { hours: 2, kept: 2 });
    logged = [];
    const log = createLog("info", { write: (line: string) => void logged.push(line) });
    deps = { config, log, environment: { ...environment, PATH: "" } };
  });
  afterAll(async () => {
    const snapshot = inject("databaseSnapshot");
    if (!("path" in snapshot)) await onServer(snapshot.url, `drop database if exists ${database} with (force)`);
    await rm(folder, { recursive: true, force: true });
  });
}
