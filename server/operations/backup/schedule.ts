/**
 * Scheduled backups, made by `npm run backup` in a separate process, which spares the server its memory and CPU. The files in the folder
 * record when: servers that share it make one backup between them, and a restart makes no extra one.
 */
import { spawn } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#server/platform/config.ts";
import type { Log } from "#server/platform/log.ts";
import { UNDER_WAY } from "./backup-error.ts";
import { readBackupState, recordFailure } from "./last-backup.ts";

export interface ScheduleDeps {
  config: Pick<Config, "backup" | "dataDir">;
  log: Log;
  /** Environment of the command; absent: this process's. */
  environment?: Record<string, string>;
}

const LOOK_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Milliseconds from a failure to the next attempt, unless the next backup is due earlier. */
const RETRY_MS = HOUR_MS;
const COMMAND = join(import.meta.dirname, "../../commands/backup.ts");
const NAME = /^twins-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.age$/;

export const backupNameAt = (at: Date): string => `twins-${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.age`;

/** Makes backups when they are due, until the returned function is called, which aborts a running one. */
export function startBackups(deps: ScheduleDeps): () => Promise<void> {
  if (deps.config.backup.folder === null) return async () => {};
  const ending = new AbortController();
  let working: Promise<void> | undefined;
  const timer = setInterval(() => {
    working ??= backUpWhenDue(deps, ending.signal)
      .catch((error: unknown) => deps.log.error({ err: error }, "a scheduled backup failed"))
      .finally(() => {
        working = undefined;
      });
  }, LOOK_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    ending.abort();
    await working;
  };
}

export async function backUpWhenDue(deps: ScheduleDeps, signal?: AbortSignal, now = new Date()): Promise<void> {
  const { backup, dataDir } = deps.config;
  const folder = backup.folder!;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const newest = (await backupsIn(folder)).at(-1);
  if (newest !== undefined && now.getTime() - newest.at.getTime() < backup.hours * HOUR_MS) return;
  const { failure } = await readBackupState(dataDir);
  const rest = Math.min(RETRY_MS, backup.hours * HOUR_MS);
  if (failure !== null && now.getTime() - failure.at.getTime() < rest) return;
  const file = join(folder, backupNameAt(now));
  const { code, said } = await run(file, deps, signal);
  if (signal?.aborted || code === UNDER_WAY) return;
  if (code !== 0) {
    const state = await readBackupState(dataDir);
    // A killed process could not write its reason.
    if (state.failure === null || state.failure.at < now) {
      await recordFailure(dataDir, "Копию не удалось сделать: её процесс был прерван.");
    }
    deps.log.error({ code, reason: said.trim() }, "a scheduled backup failed");
    return;
  }
  deps.log.info({ file }, "a scheduled backup was made");
  await rotate(folder, backup.kept);
}

/** Deletes all but the newest backups. Files with other names stay, and all files stay until a newer one exists. */
export async function rotate(folder: string, kept: number): Promise<void> {
  const all = await backupsIn(folder);
  for (const { name } of all.slice(0, Math.max(0, all.length - kept))) await rm(join(folder, name), { force: true });
  // Deletes partial files of killed processes; only one file is written at a time, and its process has ended.
  for (const name of await readdir(folder)) {
    if (name.endsWith(".part") && NAME.test(name.slice(0, -".part".length)))
      await rm(join(folder, name), { force: true });
  }
}

async function backupsIn(folder: string): Promise<{ name: string; at: Date }[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  return names.map((name) => {
    const [year, month, day, hour, minute, second] = NAME.exec(name)!.slice(1).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return { name, at: new Date(Date.UTC(year, month - 1, day, hour, minute, second)) };
  });
}

function run(
  file: string,
  { environment }: ScheduleDeps,
  signal: AbortSignal | undefined,
): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, "--scheduled", file], {
      stdio: ["ignore", "ignore", "pipe"],
      ...(environment && { env: environment }),
    });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-4000);
    });
    const end = () => child.kill("SIGTERM");
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    child.once("error", reject);
    child.once("close", (code) => {
      signal?.removeEventListener("abort", end);
      resolve({ code, said });
    });
  });
}
