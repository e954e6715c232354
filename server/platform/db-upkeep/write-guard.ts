/**
 * Knows whether anything can be stored. What cannot be stored must not be acknowledged, and the embedded engine breaks when its disk is
 * full, so writing stops while there still is a little room (docs/decisions/044-full-disks.md).
 */
import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Config } from "#server/platform/config.ts";
import { type Database, isOutOfSpace, type OpenDatabase } from "#server/platform/db/database.ts";
import { cannotWrite } from "#server/platform/errors.ts";
import type { Disk } from "#server/platform/files/disk.ts";
import type { Log } from "#server/platform/log.ts";

/** Which disk takes nothing more: that of the data folder, which the embedded database shares, or that of PostgreSQL. */
export type WriteObstacle = "disk" | "database";

const MEGABYTE = 2 ** 20;
/** What the embedded engine needs for what it has begun: segments of its journal, of 16 MB each, and sorting. */
const FLOOR = { least: 128 * MEGABYTE, most: 1024 * MEGABYTE, share: 0.01 };
/** Writing begins again at this multiple of the floor, so that it does not stop and begin every second. */
const ENOUGH = 1.25;
/** Milliseconds between looks: free space can be read for nothing, a probe costs a write. */
const LOOK_MS = { embedded: 1000, postgres: 10_000, trouble: 2000 };
/** Milliseconds between probes of the embedded database's disk. */
const PROBE_MS = 10_000;
/** Rows of the probe in PostgreSQL, some 200 KB: a page may have room although the disk has none. */
const PROBE_ROWS = 4000;

export const writeFloor = (totalBytes: number): number =>
  Math.min(FLOOR.most, Math.max(FLOOR.least, totalBytes * FLOOR.share));

interface GuardDeps {
  config: Pick<Config, "dataDir">;
  database: Pick<OpenDatabase, "kind" | "db">;
  disk: Pick<Disk, "measure">;
  log: Log;
}

export class WriteGuard {
  readonly #deps: GuardDeps;
  #obstacle: WriteObstacle | null = null;
  #looking: Promise<void> | undefined;
  #probedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #waiting: (() => void)[] = [];
  #room = new AbortController();
  /** Writes a little where the database writes; replaced in tests. @throws Error */
  probe: () => Promise<void>;

  constructor(deps: GuardDeps) {
    this.#deps = deps;
    const { config, database } = deps;
    this.probe = () => (database.kind === "embedded" ? writeFile(config.dataDir) : writeRows(database.db));
  }

  /** null: everything can be stored. */
  get obstacle(): WriteObstacle | null {
    return this.#obstacle;
  }

  /** Aborts when there is no room any more; another one after that. Long work ends by it and goes on later. */
  get room(): AbortSignal {
    return this.#room.signal;
  }

  /** Called with whatever has failed, so that a full disk is known at once. */
  note(error: unknown): void {
    if (isOutOfSpace(error)) this.#set(this.#deps.database.kind === "embedded" ? "disk" : "database");
  }

  /** Looks now. Never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#deps.log.debug({ err: error }, "whether there is room is unknown"))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Resolves when something can be stored. @throws the signal's reason */
  async untilWritable(signal: AbortSignal): Promise<void> {
    while (this.#obstacle !== null) {
      signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
    }
  }

  /** Looks until the returned function is called. */
  start(): () => void {
    const { kind } = this.#deps.database;
    const next = () => {
      void this.look().then(() => {
        const wait = kind === "postgres" && this.#obstacle !== null ? LOOK_MS.trouble : LOOK_MS[kind];
        if (!this.#stopped) this.#timer = setTimeout(next, wait).unref();
      });
    };
    next();
    return () => {
      this.#stopped = true;
      clearTimeout(this.#timer);
    };
  }

  async #look(): Promise<void> {
    const isDue = (ms: number) => performance.now() - this.#probedAt >= ms;
    if (this.#deps.database.kind === "postgres") return isDue(LOOK_MS.trouble) ? this.#probe("database") : undefined;
    const { freeBytes, totalBytes } = await this.#deps.disk.measure();
    if (freeBytes < writeFloor(totalBytes) * (this.#obstacle === null ? 1 : ENOUGH)) this.#set("disk");
    else if (this.#obstacle !== null || isDue(PROBE_MS)) await this.#probe("disk");
  }

  async #probe(which: WriteObstacle): Promise<void> {
    this.#probedAt = performance.now();
    try {
      await this.probe();
    } catch (error) {
      // Whatever else is wrong with the database is found and told elsewhere.
      if (!isOutOfSpace(error)) throw error;
      this.#set(which);
      return;
    }
    this.#set(null);
  }

  #set(obstacle: WriteObstacle | null): void {
    if (obstacle === this.#obstacle) return;
    this.#obstacle = obstacle;
    if (obstacle !== null) {
      this.#deps.log.error({ obstacle }, "there is no room: nothing is stored or acknowledged until there is");
      this.#room.abort(cannotWrite());
      return;
    }
    this.#room = new AbortController();
    this.#deps.log.info("there is room again: writing goes on");
    for (const go of this.#waiting.splice(0)) go();
  }
}

async function writeFile(dataDir: string): Promise<void> {
  const path = join(dataDir, `.write-probe-${randomUUID()}`);
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.write(Buffer.alloc(4096, 1));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** A temporary table takes room on the database's disk and is gone with the transaction. */
const writeRows = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`create temp table write_probe on commit drop as
      select md5(n::text) as filler from generate_series(1, ${sql.raw(String(PROBE_ROWS))}) n`);
  });
