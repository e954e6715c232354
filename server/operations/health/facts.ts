/** Reads the server's figures, for /metrics, the page «Состояние» and alerts to the administrator. */
import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import { type KnownBackups, readBackups } from "#server/operations/backup/stored-backups.ts";
import { asPlatform, type Database, sharesOneConnection } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { type BackfillState, listUnfinishedBackfills } from "#server/platform/db-upkeep/backfill.ts";
import { BACKFILLS } from "#server/platform/db-upkeep/backfill-list.ts";
import type { WriteGuard, WriteObstacle } from "#server/platform/db-upkeep/write-guard.ts";
import type { Disk } from "#server/platform/files/disk.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { JobName } from "#server/platform/jobs/catalogue.ts";
import { type QueueDepth, queueDepths, stuckQueues } from "#server/platform/jobs/queue-depth.ts";
import { withTimeout } from "./in-time.ts";
import { type KnownProcess, readProcesses } from "./processes.ts";
import type { ServicesReached } from "./services-reached.ts";

/** «trouble»: active, and disconnected at the moment. */
export type ChannelState = "active" | "inactive" | "error" | "trouble";

export interface ChannelCount {
  platform: string;
  state: ChannelState;
  count: number;
}

export interface ConnectionCount {
  pool: "requests" | "platform";
  max: number;
  open: number;
  idle: number;
  /** Requests that wait for a connection. */
  waiting: number;
}

export interface InstallationFacts {
  at: Date;
  /** Milliseconds that the database took to answer; null: it did not. */
  databaseMs: number | null;
  connections: ConnectionCount[];
  /** Long row changes that continue after an upgrade; empty while the database is unavailable. */
  backfills: readonly BackfillState[];
  /** null: the disk does not answer. */
  disk: { totalBytes: number; freeBytes: number } | null;
  /** Why nothing can be stored; null: it can. */
  unwritable: WriteObstacle | null;
  /** Whether the mail server of the settings has answered; null: nobody has asked it, or there is none. */
  letters: boolean | null;
  /** Whether the storage of uploaded and generated files is reachable. */
  files: boolean;
  /** Queues with due or running jobs; null while the database is unavailable. */
  queues: QueueDepth[] | null;
  stuck: readonly JobName[];
  /** null while the database is unavailable, like those below. */
  channels: ChannelCount[] | null;
  processes: KnownProcess[] | null;
  backups: KnownBackups | null;
}

interface FactsDeps {
  config: { jobsStuckMs: number };
  db: Database;
  disk: Pick<Disk, "measure">;
  files: Pick<FileStore, "check">;
  writing: Pick<WriteGuard, "obstacle">;
  reached: Pick<ServicesReached, "letters">;
}

/** Milliseconds for which facts are cached, so that many callers do not overload the database. */
const KEPT_MS = 3000;

/** Reads the facts, at most every few seconds. Never throws, and ends in bounded time. */
export function createFactsReader({
  config,
  db,
  disk,
  files,
  writing,
  reached,
}: FactsDeps): () => Promise<InstallationFacts> {
  const askDatabase = withTimeout(async () => {
    const began = performance.now();
    const found = await readStored(db, config.jobsStuckMs);
    return { ...found, ms: performance.now() - began };
  });
  const askDisk = withTimeout(async () => disk.measure());
  const askFiles = withTimeout(async () => files.check().then(() => true));
  const read = async (): Promise<InstallationFacts> => {
    const [found, room, stored] = await Promise.all([askDatabase(), askDisk(), askFiles()]);
    return {
      at: new Date(),
      databaseMs: found?.ms ?? null,
      connections: connectionsOf(db),
      backfills: found?.backfills ?? [],
      disk: room,
      unwritable: writing.obstacle,
      letters: reached.letters,
      files: stored === true,
      queues: found?.queues ?? null,
      stuck: found?.stuck ?? [],
      channels: found?.channels ?? null,
      processes: found?.processes ?? null,
      backups: found?.backups ?? null,
    };
  };
  let reading: Promise<InstallationFacts> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (reading === undefined || performance.now() - readAt > KEPT_MS) {
      readAt = performance.now();
      reading = read();
    }
    return reading;
  };
}

async function readStored(db: Database, stuckMs: number): Promise<StoredFacts> {
  const queues = await queueDepths(db);
  const stuck = await stuckQueues(db, stuckMs, queues);
  const channels = await asPlatform(db, (tx) =>
    tx
      .select({
        platform: integrations.platform,
        state: sql<ChannelState>`case when ${integrations.status} = 'active' and ${integrations.trouble} is not null
          then 'trouble' else ${integrations.status} end`.as("state"),
        count: sql<number>`count(*)`,
      })
      .from(integrations)
      .groupBy(integrations.platform, sql`state`)
      .orderBy(integrations.platform, sql`state`),
  );
  return {
    queues,
    stuck,
    channels,
    backfills: await listUnfinishedBackfills(db, BACKFILLS),
    processes: await readProcesses(db),
    backups: await readBackups(db),
  };
}

interface StoredFacts extends Pick<InstallationFacts, "stuck" | "backfills"> {
  queues: QueueDepth[];
  channels: ChannelCount[];
  processes: KnownProcess[];
  backups: KnownBackups;
}

function connectionsOf(db: Database): ConnectionCount[] {
  const countOf = (name: ConnectionCount["pool"], pool: Pool): ConnectionCount => ({
    pool: name,
    max: pool.options.max,
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  });
  const platform = countOf("platform", db.$client);
  return sharesOneConnection(db) ? [platform] : [countOf("requests", db.$requests), platform];
}
