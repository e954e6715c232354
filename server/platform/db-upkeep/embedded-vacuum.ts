/**
 * Vacuums and analyses the embedded database. A PostgreSQL server does that automatically. PGlite has no background processes, so dead rows
 * would occupy space and slow down reads for ever (docs/decisions/006-database-connections-and-embedded-engine.md).
 */
import { sql } from "drizzle-orm";
import { runInBackground } from "#server/platform/db/caller-priority.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { refreshStatistics } from "#server/platform/db/statistics.ts";
import type { Log } from "#server/platform/log.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";

/** PostgreSQL's default of `autovacuum_naptime`. */
const LOOKS_EVERY_MS = 60_000;
/**
 * Table size above which a vacuum waits for a quiet moment. A vacuum is one statement, for which all requests wait: at this size, some
 * tenths of a second.
 */
const LARGE_BYTES = 64 * 1024 ** 2;
/** A large table waits at most this long for a moment without users: until then its dead rows accumulate. */
const LARGE_WAITS_MS = 60 * 60_000;

interface DueTable {
  name: string;
  /** Size including indexes. */
  bytes: number;
}

/** Tables whose size is asked in one statement: each is a look into the file system, and all three hundred took a tenth of a second. */
const SIZED_AT_ONCE = 30;

/**
 * Returns the tables that PostgreSQL's autovacuum would process by its default thresholds, smallest first. PGlite loses its statistics when
 * it is closed, so a table that has grown by a fifth since its last vacuum is due as well.
 */
async function dueTables({ db }: OpenDatabase): Promise<DueTable[]> {
  const { rows: all } = await db.execute<{ oid: number }>(sql`
    select oid from pg_class where relkind in ('r', 't') and relpersistence = 'p' order by oid`);
  const due: DueTable[] = [];
  for (let from = 0; from < all.length; from += SIZED_AT_ONCE) {
    const oids = sql.param(all.slice(from, from + SIZED_AT_ONCE).map(({ oid }) => oid));
    const { rows } = await db.execute<DueTable & Record<string, unknown>>(sql`
      select format('%I.%I', n.nspname, c.relname) as name, pg_total_relation_size(c.oid)::float8 as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace, greatest(c.reltuples, 0) as live
      where c.oid = any(${oids}::oid[])
        and (pg_stat_get_dead_tuples(c.oid) > 50 + .2 * live or pg_stat_get_ins_since_vacuum(c.oid) > 1000 + .2 * live
          or pg_stat_get_mod_since_analyze(c.oid) > 50 + .1 * live or age(c.relfrozenxid) > 200000000
          or pg_relation_size(c.oid) / current_setting('block_size')::int > 8 + 1.2 * c.relpages)`);
    due.push(...rows);
  }
  return due.sort((a, b) => a.bytes - b.bytes);
}

export class EmbeddedVacuum {
  readonly #database: OpenDatabase;
  readonly #log: Pick<Log, "debug">;
  readonly #way: { readonly isForegroundActive: boolean };
  readonly #largeBytes: number;
  /** Since when each large table is due, by table name. */
  readonly #dueSince = new Map<string, number>();

  /** @param options.largeBytes table size, including indexes, from which a vacuum waits for a moment without users */
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
   * Vacuums and analyses the due tables, one at a time.
   * @param now ms since 1970
   * @param signal stops it between two tables
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

/** Runs `look` every minute, never twice at once, until the returned function is called; that function waits for a vacuum in progress. */
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
