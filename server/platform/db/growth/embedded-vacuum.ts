/**
 * Vacuums and analyses the embedded database. A PostgreSQL server does that automatically; PGlite runs without background processes, so
 * rows that were changed or deleted would take room, and be read past, for ever (docs/decisions/006-database-connections-and-embedded-engine.md).
 */
import { sql } from "drizzle-orm";

import type { Log } from "#server/platform/log.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { runInBackground } from "../caller-priority.ts";
import type { OpenDatabase } from "../database.ts";
import { refreshStatistics } from "../statistics.ts";

/** PostgreSQL's own `autovacuum_naptime`. */
const LOOKS_EVERY_MS = 60_000;
/** A vacuum is one statement, and all requests wait for its end: this much takes some tenths of a second. */
const LARGE_BYTES = 64 * 1024 ** 2;
/** A large table waits for a moment without people, but not for ever: what it loses meanwhile is given back only for new rows. */
const LARGE_WAITS_MS = 60 * 60_000;

interface DueTable {
  name: string;
  /** With its indexes. */
  bytes: number;
}

/**
 * Those that PostgreSQL's autovacuum would take by its default thresholds, smallest first. PGlite forgets its counts when it is closed, so a
 * table that has grown by a fifth since it was last looked over is due as well.
 */
async function dueTables({ db }: OpenDatabase): Promise<DueTable[]> {
  const { rows } = await db.execute<DueTable & Record<string, unknown>>(sql`
    select format('%I.%I', schemaname, relname) as name, pg_total_relation_size(relid)::float8 as bytes
    from (
      select s.*, greatest(c.reltuples, 0) as live, c.relpages as pages, age(c.relfrozenxid) as age
      from pg_stat_all_tables s join pg_class c on c.oid = s.relid
      where c.relkind in ('r', 't') and c.relpersistence = 'p'
    ) as tables
    where n_dead_tup > 50 + .2 * live or n_ins_since_vacuum > 1000 + .2 * live or n_mod_since_analyze > 50 + .1 * live
      or pg_relation_size(relid) / current_setting('block_size')::int > 8 + 1.2 * pages or age > 200000000
    order by bytes`);
  return rows;
}

export class EmbeddedVacuum {
  readonly #database: OpenDatabase;
  readonly #log: Pick<Log, "debug">;
  readonly #way: { readonly isForegroundActive: boolean };
  readonly #largeBytes: number;
  /** Since when a large table is due, by name. */
  readonly #dueSince = new Map<string, number>();

  /** @param options.largeBytes from this size on, with its indexes, a table waits for a moment without people */
  constructor(
    database: OpenDatabase,
    log: Pick<Log, "debug">,
    {
      way = backgroundThrottle,
      largeBytes = LARGE_BYTES,
    }: { way?: { readonly isForegroundActive: boolean }; largeBytes?: number } = {},
  ) {
    this.#database = database;
    this.#log = log;
    this.#way = way;
    this.#largeBytes = largeBytes;
  }

  /**
   * Vacuums and analyses what is due, a table at a time.
   * @param now ms since 1970
   * @param signal ends it between two tables
   */
  async look(now = Date.now(), signal?: AbortSignal): Promise<void> {
    const due = await dueTables(this.#database);
    for (const name of this.#dueSince.keys()) {
      if (!due.some((table) => table.name === name)) this.#dueSince.delete(name);
    }
    for (const table of due) {
      if (signal?.aborted) return;
      if (this.#mustWait(table, now)) continue;
      const began = performance.now();
      await this.#database.db.$client.query(`vacuum ${table.name}`);
      if (!table.name.startsWith("pg_toast.")) await refreshStatistics(this.#database.db, [sql.raw(table.name)]);
      this.#dueSince.delete(table.name);
      const ms = Math.round(performance.now() - began);
      this.#log.debug({ table: table.name, bytes: table.bytes, ms }, "vacuumed");
    }
  }

  #mustWait({ name, bytes }: DueTable, now: number): boolean {
    if (bytes < this.#largeBytes || !this.#way.isForegroundActive) return false;
    const since = this.#dueSince.get(name) ?? now;
    this.#dueSince.set(name, since);
    return now - since < LARGE_WAITS_MS;
  }
}

/** Looks every minute, unless it still does, until the returned function is called; that waits for a table under way. */
export function startVacuum(database: OpenDatabase, log: Log): () => Promise<void> {
  const vacuum = new EmbeddedVacuum(database, log);
  const ending = new AbortController();
  let round: Promise<void> | null = null;
  const timer = setInterval(() => {
    round ??= runInBackground(() => vacuum.look(Date.now(), ending.signal))
      .catch((error: unknown) => log.error({ err: error }, "the embedded database could not be vacuumed"))
      .finally(() => {
        round = null;
      });
  }, LOOKS_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    ending.abort();
    await round;
  };
}
