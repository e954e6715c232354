/**
 * What the processes of an installation tell of themselves. Each counts for itself (platform/process/metrics.ts); so that one page can speak of all,
 * each writes its figures into the database every few seconds (docs/decisions/009-process-roles-and-job-scheduling.md).
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
/** A process that has told nothing for so long is named: it has ended without a word, or cannot reach the database. */
export const SILENT_MS = 60_000;
/** After this time a process that tells nothing is forgotten. */
const GONE_MS = 5 * 60_000;
/** How long the end of the process waits for its row to go; an unavailable database does not delay the end. */
const ENDING_MS = 1000;

/** Counts are those of the last hour. */
export interface ProcessFigures {
  failedRequests: number;
  failedJobs: number;
  modelReplies: number;
  modelFailures: number;
  /** Of the event loop, ms: the mean of the last seconds, and the longest of the last minute. */
  delayMs: number;
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
  /** How often it makes a backup; null: it makes none. */
  backupHours: number | null;
}

export interface ThisProcess extends ProcessName {
  figures(): ProcessFigures;
}

export interface KnownProcess extends ProcessName, ProcessFigures {
  /** How long ago it told this, ms. */
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

/** What all have told. Ages are by the database's clock: machines' own differ. */
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

/** Tells at once and then every few seconds, until the returned function is called: what ends in order is not missed. */
export function startReporting({ config, db, self, log }: ReportingDeps): () => Promise<void> {
  let stored = "";
  const report = async () => {
    try {
      await reportProcess(db, self);
      // The command that makes backups leaves its result in the data folder: the embedded database is not open to it.
      const backups = await readBackupState(config.dataDir);
      const found = JSON.stringify([backups.last?.at, backups.failure?.at]);
      if (found !== stored) await storeBackups(db, self.host, backups);
      stored = found;
    } catch (error) {
      // The page and /readyz tell it.
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
