/**
 * Reports of an installation's processes. Each counts for itself (platform/process/metrics.ts) and writes its figures into the database
 * every few seconds, so one page can show all (docs/decisions/009-process-roles-and-job-scheduling.md).
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { eq, lt, sql } from "drizzle-orm";
import { readBackupState } from "#server/operations/backup/last-backup.ts";
import { storeBackups } from "#server/operations/backup/stored-backups.ts";
import type { Config, Role } from "#server/platform/config.ts";
import { type Database, isDatabaseAway } from "#server/platform/db/database.ts";
import { serverProcesses } from "#server/platform/db/schema/operations.ts";
import { PRODUCT_VERSION } from "#server/platform/http/product-version.ts";
import type { Log } from "#server/platform/log.ts";
import { loopDelay } from "#server/platform/process/loop-delay.ts";
import { lastHour } from "#server/platform/process/metrics.ts";

const REPORT_MS = 15_000;
/** Milliseconds without a report after which a process is shown as silent: it crashed, or cannot reach the database. */
export const SILENT_MS = 60_000;
/** Milliseconds without a report after which a process is forgotten. */
const GONE_MS = 5 * 60_000;
/** Milliseconds that the shutdown waits for the deletion of the row; an unavailable database must not delay it. */
const ENDING_MS = 1000;

/** Counts are those of the last hour. */
export interface ProcessFigures {
  failedRequests: number;
  failedJobs: number;
  modelReplies: number;
  modelFailures: number;
  /** Delay of the event loop in milliseconds, the mean of the last seconds. */
  delayMs: number;
  /** Delay of the event loop in milliseconds, the maximum of the last minute. */
  worstDelayMs: number;
  memoryBytes: number;
  heapBytes: number;
  heapLimitBytes: number;
}

interface ProcessName {
  id: string;
  host: string;
  pid: number;
  role: Role;
  version: string;
  startedAt: Date;
  /** Hours between its backups; null: it makes none. */
  backupHours: number | null;
}

export interface ThisProcess extends ProcessName {
  figures(): ProcessFigures;
}

export interface KnownProcess extends ProcessName, ProcessFigures {
  silentMs: number;
}

export const thisProcess = ({ role, backup }: Pick<Config, "role" | "backup">): ThisProcess => ({
  id: randomUUID(),
  host: hostname(),
  pid: process.pid,
  role,
  version: PRODUCT_VERSION,
  startedAt: new Date(Date.now() - process.uptime() * 1000),
  backupHours: backup.folder === null || role === "web" ? null : backup.hours,
  figures() {
    const { rss, heapUsed } = process.memoryUsage();
    return {
      failedRequests: lastHour.failedRequests.total(),
      failedJobs: lastHour.failedJobs.total(),
      modelReplies: lastHour.modelReplies.total(),
      modelFailures: lastHour.modelFailures.total(),
      delayMs: Math.round(loopDelay.smoothedMs),
      worstDelayMs: Math.round(loopDelay.worstMs()),
      memoryBytes: rss,
      heapBytes: heapUsed,
      heapLimitBytes: getHeapStatistics().heap_size_limit,
    };
  },
});

/** Returns all reports. Ages use the database's clock, because the machines' clocks differ. */
export async function readProcesses(db: Database): Promise<KnownProcess[]> {
  const silentMs = sql<number>`(extract(epoch from now() - ${serverProcesses.reportedAt}) * 1000)::float8`;
  const rows = await db.select({ process: serverProcesses, silentMs }).from(serverProcesses);
  return rows.map(({ process: { reportedAt: _, ...known }, silentMs: age }) => ({ ...known, silentMs: age }));
}

export async function reportProcess(db: Database, { figures, ...name }: ThisProcess): Promise<void> {
  const row = { ...name, ...figures(), reportedAt: sql`now()` };
  await db.insert(serverProcesses).values(row).onConflictDoUpdate({ target: serverProcesses.id, set: row });
  const gone = sql`now() - make_interval(secs => ${GONE_MS / 1000})`;
  await db.delete(serverProcesses).where(lt(serverProcesses.reportedAt, gone));
}

export interface ReportingDeps {
  config: Pick<Config, "dataDir">;
  db: Database;
  self: ThisProcess;
  log: Log;
}

/**
 * Reports at once and then every few seconds, until the returned function is called. An orderly end removes the row, so the process is not
 * missed.
 */
export function startReporting({ config, db, self, log }: ReportingDeps): () => Promise<void> {
  let stored = "";
  const report = async () => {
    try {
      await reportProcess(db, self);
      // The backup command writes its result to the data folder, because it cannot open the embedded database.
      const backups = await readBackupState(config.dataDir);
      const found = JSON.stringify([backups.last?.at, backups.failure?.at]);
      if (found !== stored) await storeBackups(db, self.host, backups);
      stored = found;
    } catch (error) {
      // The page and /readyz report this.
      if (!isDatabaseAway(error)) log.error({ err: error }, "the process could not tell how it is");
    }
  };
  let reporting: Promise<void> | undefined;
  const begin = () => {
    reporting ??= report().finally(() => {
      reporting = undefined;
    });
  };
  begin();
  const timer = setInterval(begin, REPORT_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    const leave = async () => {
      await reporting;
      await db.delete(serverProcesses).where(eq(serverProcesses.id, self.id));
    };
    await Promise.race([leave().catch(() => {}), pause(ENDING_MS, undefined, { ref: false })]);
  };
}
