/**
 * Migrates a database to this release's schema (docs/decisions/008-migrations-and-upgrades.md). Each migration and its record share one
 * transaction, so that after a crash the next start continues with the first missing migration. A statement that waits for a table makes
 * all later statements wait too. So its lock timeout is a few seconds, and the migration is retried.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { MigrationMeta } from "drizzle-orm/migrator";
import type { ClientBase, Pool } from "pg";
import { refuseUnfinished, refuseUnfit, type Upgrade, upgradeOf } from "./check-database.ts";
import { isTableBusy } from "./failures.ts";
import { buildPending, runWithoutIndexes } from "./migrations/pending-indexes.ts";

export const MIGRATIONS = join(import.meta.dirname, "migrations");

export interface MigrationOptions {
  /** Replaces the product's migrations folder in tests. */
  migrationsFolder?: string;
  /** Called before an existing database is migrated; an error prevents the migration. */
  beforeUpgrade?(client: ClientBase, upgrade: Upgrade): Promise<void>;
  /** Leaves the migration of an existing database to another process and waits until that one has finished. */
  waitForUpgrade?: boolean;
  /** Allows a database with an unfinished restore, for the restore itself. */
  restoring?: boolean;
  /** Prints a Russian line that tells the operator why the migration takes long. */
  say?(line: string): void;
  /** Whether others may use the database in the meantime, so that indexes of tables in use are built concurrently. */
  besideOthers?: boolean;
  /** Lock timeout of a statement. */
  lockMs?: number;
  /** Longest pause before a retry. */
  longestPauseMs?: number;
}

/** Other transactions held a table's lock during all retries. */
export class TablesHeld extends Error {
  override message =
    "обновить базу не удалось: её таблицу всё время держит кто-то другой (долгий запрос или незакрытая транзакция). " +
    "Данные целы. Завершите его (pg_stat_activity) и запустите сервер снова.";
}

/** Key of the PostgreSQL advisory lock that makes servers migrate one after the other. */
export const UPGRADE_LOCK = 727_460_001;
/**
 * At most twice PostgreSQL's deadlock_timeout (1 s). If a request and a migration block each other, the migration must lose. Either
 * PostgreSQL detects the deadlock in it after one second, or it times out before the request, which began to wait later.
 */
const LOCK_MS = 2000;
/** Together with the pauses, about a quarter of an hour. */
const TRIES = 30;
const LONGEST_PAUSE_MS = 30_000;
/** Interval at which a process checks whether the upgrade lock is free, ms. */
const LOCK_LOOK_MS = 200;
/** Interval at which a process that leaves the migrations to another checks whether they are done, ms. */
const LOOK_MS = 1000;
const SAY_AGAIN_MS = 60_000;

export async function migrateDatabase(pool: Pool, options: MigrationOptions): Promise<void> {
  const { migrationsFolder = MIGRATIONS, beforeUpgrade, restoring = false, waitForUpgrade = false } = options;
  if (!existsSync(migrationsFolder)) throw new Error(`No migrations at ${migrationsFolder}`);
  const client = await pool.connect();
  try {
    if (waitForUpgrade) await untilUpgraded(client, migrationsFolder, options);
    await takeUpgradeLock(client);
    if (!restoring) await refuseUnfinished(client);
    const upgrade = await upgradeOf(client, migrationsFolder);
    if (options.besideOthers) await buildPending(client, options.say);
    if (upgrade.missing.length === 0) return;
    if (upgrade.done.length === 0) {
      await refuseUnfit(client);
      // A new database has no other users yet, and a half-applied baseline is of no use, so one transaction runs everything.
      return await inTransaction(client, null, upgrade.missing);
    }
    await beforeUpgrade?.(client, upgrade);
    for (const migration of upgrade.missing) {
      await runMigration(client, migration, options);
      if (options.besideOthers) await buildPending(client, options.say);
    }
  } finally {
    await client.query("select pg_advisory_unlock_all()").catch(() => {});
    client.release();
  }
}

/**
 * Polls for the lock instead of waiting in a statement: CREATE INDEX CONCURRENTLY waits for every running statement, and so for this one.
 */
async function takeUpgradeLock(client: ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as taken", [UPGRADE_LOCK]);
    if (rows[0].taken) return;
    await pause(LOCK_LOOK_MS);
  }
}

/** Waits without holding a lock, because the migrating process needs it. A new database is not waited for. */
async function untilUpgraded(client: ClientBase, folder: string, { say }: MigrationOptions): Promise<void> {
  for (let told = Number.NEGATIVE_INFINITY; ; ) {
    await refuseUnfinished(client);
    const { done, missing } = await upgradeOf(client, folder);
    if (done.length === 0 || missing.length === 0) return;
    if (performance.now() - told > SAY_AGAIN_MS) {
      told = performance.now();
      say?.(
        `База ещё не обновлена (изменений: ${missing.length}). Этот процесс её не обновляет, чтобы копию перед этим сделал ` +
          "тот, кто делает копии: жду процесса с ROLE=worker или all новой версии.",
      );
    }
    await pause(LOOK_MS);
  }
}

async function runMigration(
  client: ClientBase,
  migration: MigrationMeta,
  { say, besideOthers = false, lockMs = LOCK_MS, longestPauseMs = LONGEST_PAUSE_MS }: MigrationOptions,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await inTransaction(client, lockMs, [migration], besideOthers);
    } catch (error) {
      if (!isTableBusy(error)) throw error;
      if (tried === TRIES) throw new TablesHeld(undefined, { cause: error });
      const rest = Math.min(longestPauseMs, lockMs * 2 ** (tried - 1));
      say?.(
        `Таблица, которую меняет обновление, занята другим запросом: пропускаю остальных вперёд и повторю через ${Math.ceil(rest / 1000)} с ` +
          `(попытка ${tried} из ${TRIES}).`,
      );
      await pause(rest);
    }
  }
}

/** @param lockMs null: no lock timeout */
async function inTransaction(
  client: ClientBase,
  lockMs: number | null,
  migrations: readonly MigrationMeta[],
  indexesWait = false,
) {
  await client.query("begin");
  try {
    if (lockMs !== null) await client.query(`set local lock_timeout = ${lockMs}`);
    else await client.query(JOURNAL);
    for (const { sql, hash, folderMillis } of migrations) {
      if (indexesWait) await runWithoutIndexes(client, sql);
      else for (const statement of sql) await client.query(statement);
      await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
        hash,
        folderMillis,
      ]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** The table of drizzle-kit's migrator, in its form. */
const JOURNAL = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
