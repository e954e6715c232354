/**
 * Long changes of rows that follow the migration which adds their columns: in the background, in small transactions, while the server runs.
 *
 * A migration holds its locks until it ends, so one that changed millions of rows would block all writers. A backfill walks through a table
 * in the order of a key, a few hundred rows per transaction, and stores its position in the same transaction (`drizzle.backfills`). After a
 * crash it resumes there, and no row is changed twice. It pauses for as long as it has worked. Only one process runs it at a time
 * (platform/jobs/backfills.ts). «Состояние» shows it until it has ended.
 *
 * CONTRIBUTING, «Change many rows», explains how to write one; list.ts lists them all.
 */
import { setTimeout as pause } from "node:timers/promises";
import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type Database, isTableBusy, type Tx } from "#server/platform/db/database.ts";

export interface Backfill {
  /** Key of the stored position; it must never be reused for another backfill. */
  name: string;
  /** A unique, ascending, indexed column of the table to change. A table with `org_id` is changed organisation by organisation. */
  key: PgColumn;
  set: SQL;
  /** Matches the rows that lack the change, so that the backfill can be repeated. */
  where: SQL;
}

export interface BackfillState {
  name: string;
  /** Number of rows examined so far. */
  rows: number;
}

interface BackfillOptions {
  signal?: AbortSignal;
  /** Number of rows that one transaction examines, and therefore the most that it locks. */
  rowsAtOnce?: number;
  onBatch?(state: BackfillState): void;
}

const ROWS_AT_ONCE = 500;
/** How long a batch waits for row locks, ms. */
const LOCK_MS = 2000;
/** Shortest pause between two batches, and the pause after a batch that did not get its locks, ms. */
const [REST_MS, BUSY_REST_MS] = [5, 2000];

/** @returns whether the backfill has ended; false: `signal` stopped this call first */
export async function runBackfill(db: Database, backfill: Backfill, options: BackfillOptions = {}): Promise<boolean> {
  const { signal, rowsAtOnce = ROWS_AT_ONCE, onBatch } = options;
  await db.transaction(async (tx) => {
    // Creating the same table twice at the same time fails in spite of «if not exists».
    await tx.execute(sql`select pg_advisory_xact_lock(${PLACES_LOCK})`);
    await tx.execute(sql.raw(PLACES));
    await tx.execute(sql`insert into drizzle.backfills (name) values (${backfill.name}) on conflict do nothing`);
  });
  while (signal?.aborted !== true) {
    const began = performance.now();
    let rest = BUSY_REST_MS;
    try {
      const batch = await db.transaction((tx) => runBatch(tx, backfill, rowsAtOnce));
      onBatch?.({ name: backfill.name, rows: batch.rows });
      if (batch.ended) return true;
      rest = Math.max(REST_MS, performance.now() - began);
    } catch (error) {
      if (!isTableBusy(error)) throw error;
    }
    await pause(rest, undefined, { signal }).catch(() => {});
  }
  return false;
}

/** Returns the backfills of this release that have not ended. */
export async function listUnfinishedBackfills(db: Database, backfills: readonly Backfill[]): Promise<BackfillState[]> {
  if (backfills.length === 0) return [];
  const { rows: tables } = await db.execute(sql`select to_regclass('drizzle.backfills') is not null as there`);
  const { rows } = tables[0]!.there
    ? await db.execute(sql`select name, rows::float8, finished_at is not null as finished from drizzle.backfills`)
    : { rows: [] };
  return backfills.flatMap(({ name }) => {
    const found = rows.find((row) => row.name === name);
    return found?.finished ? [] : [{ name, rows: Number(found?.rows ?? 0) }];
  });
}

/** Backups leave this table out: a restored database starts again and finds most rows changed already. */
const PLACES = `
  create table if not exists drizzle.backfills (
    name text primary key, place_org uuid, place_key text, rows bigint not null default 0,
    started_at timestamptz not null default now(), updated_at timestamptz not null default now(), finished_at timestamptz)`;

/** Key of the advisory lock; one-at-a-time.ts lists the product's others. */
const PLACES_LOCK = 727_460_014;

interface Place {
  place_org: string | null;
  place_key: string | null;
  rows: number;
  finished: boolean;
}

/** Locks the position's row first, so that a second process would do the next batch instead of the same one. */
async function runBatch(tx: Tx, backfill: Backfill, limit: number): Promise<{ rows: number; ended: boolean }> {
  await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_MS}`));
  const { rows: places } = await tx.execute(sql`
    select place_org, place_key, rows::float8, finished_at is not null as finished
    from drizzle.backfills where name = ${backfill.name} for update`);
  const place = places[0] as unknown as Place;
  if (place.finished) return { rows: place.rows, ended: true };
  const tenants = Object.values(getTableColumns(backfill.key.table)).some(({ name }) => name === "org_id");
  const org = tenants ? (place.place_org ?? (await organizationAfter(tx, null))) : null;
  const { seen, last } =
    tenants && org === null ? { seen: 0, last: null } : await change(tx, backfill, limit, org, place);
  const whole = seen < limit;
  const next = whole && org !== null ? await organizationAfter(tx, org) : org;
  const ended = whole && (org === null || next === null);
  await tx.execute(sql`
    update drizzle.backfills set place_org = ${next}, place_key = ${whole ? null : last}, rows = rows + ${seen},
      updated_at = now(), finished_at = case when ${ended} then now() end
    where name = ${backfill.name}`);
  return { rows: place.rows + seen, ended };
}

async function change(
  tx: Tx,
  { key, set, where }: Backfill,
  limit: number,
  org: string | null,
  { place_key: after }: Place,
): Promise<{ seen: number; last: string | null }> {
  // Row-level security also applies to the owner of a table, unless it is a superuser.
  if (org !== null) await tx.execute(sql`select set_config('app.org', ${org}, true)`);
  const { table } = key;
  const column = sql.identifier(key.name);
  const type = sql.raw(key.getSQLType());
  const bounds = [
    ...(org === null ? [] : [sql`org_id = ${org}::uuid`]),
    ...(after === null ? [] : [sql`${column} > ${after}::${type}`]),
  ];
  const { rows } = await tx.execute(sql`
    with batch as materialized (
      select ${column} as key from ${table} where ${bounds.length === 0 ? sql`true` : sql.join(bounds, sql` and `)}
      order by ${column} limit ${limit}),
    changed as (update ${table} set ${set} where ${key} = any(array(select key from batch)) and (${where}))
    select (select count(*) from batch)::int as seen, 
      (select key::text from batch order by batch.key desc limit 1) as last`);
  return rows[0] as { seen: number; last: string | null };
}

async function organizationAfter(tx: Tx, id: string | null): Promise<string | null> {
  const { rows } = await tx.execute(
    sql`select id from organizations where ${id === null ? sql`true` : sql`id > ${id}::uuid`} order by id limit 1`,
  );
  return (rows[0]?.id as string | undefined) ?? null;
}
