import { join } from "node:path";
import type { PGlite, PGliteOptions } from "@electric-sql/pglite";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg, { type Pool, type PoolClient, type PoolConfig, type QueryConfig } from "pg";
import { lockDataFolder } from "#server/platform/files/data-folder-lock.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import type { Config } from "../config.ts";
import { beforeCommit } from "./before-commit.ts";
import { isInBackground } from "./caller-priority.ts";
import {
  countStatements,
  GuardedPool,
  type StalledListener,
  StalledTransaction,
  StuckTransactionWatch,
} from "./connection-guard.ts";
import { EmbeddedPool } from "./embedded/embedded-pool.ts";
import { CACHED_PLAN_OUTDATED, causes, QUERY_TIMEOUT_MESSAGE } from "./failures.ts";
import { type MigrationOptions, migrateDatabase } from "./migrate.ts";
import { pgliteStream } from "./pglite-stream.ts";
import { openRequestRole } from "./request-role.ts";
import type { Tx } from "./transaction.ts";
import { queryOnce } from "./transaction-pool/single-statement.ts";
import { UnnamedClient } from "./transaction-pool/unnamed-client.ts";

/**
 * The whole database on its owner's connections, for platform tables, the queue and migrations. Tenant rows are accessed through
 * `asTenant`, which uses separate connections whose role has no more rights than requests may have
 * (docs/decisions/007-tenant-isolation-and-private-messages.md).
 */
export type Database = Omit<NodePgDatabase, "transaction"> & {
  $client: Pool;
  /** The pool whose connections serve requests. The embedded database has one connection for both pools. */
  $requests: GuardedPool;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
};
export type { Tx } from "./transaction.ts";

export interface OpenDatabase {
  db: Database;
  kind: "embedded" | "postgres";
  /** The embedded engine; null on PostgreSQL. */
  pglite: PGlite | null;
  /** Connection string to PostgreSQL itself, not to a pool, for LISTEN and locks that outlast a transaction; null: embedded. */
  directUrl: string | null;
  /** Registers a listener that is called when a transaction was ended because it sent no statement for too long. */
  onStalled(listener: StalledListener): void;
  /** Waits until all running transactions have ended, then closes the connections. */
  close(): Promise<void>;
}

export interface Tenant {
  organizationId: string;
  userId: string;
}

// count(*) and sums arrive as int8; all of ours are below 2^53, so they are parsed as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** After this long without a free connection, a call fails because the database is unavailable. */
const CONNECTION_MS = 10_000;
/** The embedded database has one connection for all, and an import's statements may take seconds each. */
const EMBEDDED_CONNECTION_MS = 30_000;
/** A statement without a response in this time fails: a server or network may fall silent without closing the connection. */
const ANSWER_MS = 60_000;
/** TCP keep-alive probes start after this much idle time; the operating system's default of two hours is too long. */
const KEEP_ALIVE_MS = 10_000;
/** Milliseconds without a statement after which a transaction is ended: what it waits for may itself be waiting for its connection. */
const STILL_MS = 30_000;

type DatabaseSettings = Pick<
  Config,
  "databaseUrl" | "databaseDirectUrl" | "databaseRequestUrl" | "dataDir" | "databasePool" | "masterKey"
>;

/** Returns what `openDatabase` needs of the settings. @param otherMasterKeys former keys that still decrypt secrets */
export function databaseOptions(config: DatabaseSettings, otherMasterKeys: readonly Buffer[] = []) {
  const { databaseUrl, databaseDirectUrl, databaseRequestUrl, dataDir, databasePool, masterKey } = config;
  return {
    ...{ databaseUrl, directUrl: databaseDirectUrl, requestUrl: databaseRequestUrl, dataDir, pool: databasePool },
    ...(masterKey && { masterKeys: [masterKey, ...otherMasterKeys] }),
  };
}

/**
 * Opens PostgreSQL, or PGlite in `dataDir/database` when there is no address, and migrates the schema.
 * @param options.directUrl connection string to the same database that bypasses its transaction pool (PgBouncer)
 * @param options.requestUrl connection string for requests; null: a role for them is created here
 * @param options.masterKeys encrypt that role's password, the current one first; without any it is derived from the owner's connection
 *   string
 * @param options.pool maximum number of connections to PostgreSQL, for requests and the platform together; 10 by default
 * @param options.answerMs maximum duration of one statement, ms
 * @param options.stillMs milliseconds without a statement after which a transaction is ended
 */
export async function openDatabase(
  options: {
    databaseUrl: string | null;
    dataDir: string;
    directUrl?: string | null;
    requestUrl?: string | null;
    masterKeys?: readonly Buffer[];
    pool?: number;
    answerMs?: number;
    stillMs?: number;
  } & MigrationOptions,
): Promise<OpenDatabase> {
  if (options.databaseUrl !== null) {
    const { databaseUrl, masterKeys, requestUrl = null } = options;
    const directUrl = options.directUrl ?? databaseUrl;
    const throughPool = directUrl === databaseUrl ? {} : { Client: UnnamedClient };
    // A migration may take long, and waits while another server migrates, so it gets connections without a statement time limit.
    const migrating = postgresPool({ connectionString: directUrl, max: 1 });
    await migrateDatabase(migrating, { ...options, besideOthers: true }).finally(() => migrating.end());
    const sizes = sharePool(options.pool ?? 10);
    const query_timeout = options.answerMs ?? ANSWER_MS;
    const requests = postgresPool({
      connectionString: await openRequestRole({ databaseUrl, directUrl, requestUrl }, masterKeys ?? databaseUrl),
      max: sizes.requests,
      query_timeout,
      ...throughPool,
    });
    const pool = postgresPool({ connectionString: databaseUrl, max: sizes.platform, query_timeout, ...throughPool });
    return {
      ...onPool(pool, requests, options.stillMs),
      kind: "postgres",
      pglite: null,
      directUrl,
      close: async () => {
        await requests.end();
        await pool.end();
      },
    };
  }
  const unlock = lockDataFolder(options.dataDir);
  try {
    const dataDir = join(options.dataDir, "database");
    const opened = await wrapPglite(await startPglite({ dataDir, relaxedDurability: false }), options);
    return {
      ...opened,
      close: async () => {
        await opened.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Starts the embedded engine with small buffers: it zeroes PostgreSQL's default of 128 MB at each start, which then occupies real memory.
 */
export async function startPglite({ extensions, ...options }: PGliteOptions = {}): Promise<PGlite> {
  const [{ PGlite }, { pg_trgm }, { btree_gin }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite/contrib/pg_trgm"),
    import("@electric-sql/pglite/contrib/btree_gin"),
  ]);
  return PGlite.create({
    ...options,
    // The index of words needs both extensions (docs/decisions/036-inbox-search-snooze-and-notifications.md).
    extensions: { pg_trgm, btree_gin, ...extensions },
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB"],
  });
}

/** Opens an existing PGlite instance. The caller is responsible for the lock of its folder. */
export async function wrapPglite(
  pglite: PGlite,
  options: { stillMs?: number } & MigrationOptions = {},
): Promise<OpenDatabase> {
  const pool = new EmbeddedPool({ user: "postgres", stream: () => pgliteStream(pglite) }, EMBEDDED_CONNECTION_MS);
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  await migrateDatabase(pool, options);
  // The session belongs to a superuser, so the role that a request's transaction switches to must not be able to switch back.
  await pool.query("revoke execute on function pg_catalog.set_config(text, text, boolean) from public");
  return {
    ...onPool(pool, pool, options.stillMs),
    kind: "embedded",
    pglite,
    directUrl: null,
    close: async () => {
      await pool.end();
      await pglite.close();
    },
  };
}

export { isDatabaseAway, isLostRace, isOutOfSpace, isTableBusy, sqlState } from "./failures.ts";
export { MIGRATIONS } from "./migrate.ts";

function postgresPool(config: PoolConfig): GuardedPool {
  const pool = new GuardedPool({
    ...config,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECTION_MS,
  });
  // The pool replaces a broken connection, but without a listener the error would end the process. The pool's listener covers only idle
  // connections; the client's listener covers one that breaks between two statements of a transaction.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * Replaces drizzle's own `transaction`, which never releases its connection when `begin` fails, as on a connection that has just broken.
 */
function onPool(pool: Pool, requests: GuardedPool, stillMs = STILL_MS): Pick<OpenDatabase, "db" | "onStalled"> {
  const holds = new StuckTransactionWatch(stillMs);
  for (const one of new Set([pool, requests])) {
    holdsOf.set(one, holds);
    countStatements(one);
  }
  const db = Object.assign(drizzle(pool), {
    $requests: requests,
    transaction: <T>(work: (tx: Tx) => Promise<T>) => inTransaction(pool, "begin", work),
  });
  return { db, onStalled: (listener) => holds.onStalled(listener) };
}

const holdsOf = new WeakMap<Pool, StuckTransactionWatch>();

/** Whether all requests share one connection, as on the embedded engine, so that a long statement delays all others. */
export const sharesOneConnection = (db: Database): boolean => db.$client === db.$requests;

/**
 * Splits the connections: requests get most; sessions, the queue and reads across organisations share the rest. Each side gets at least
 * one.
 */
export function sharePool(all: number): { requests: number; platform: number } {
  const platform = Math.max(1, Math.round(all / 3));
  return { platform, requests: Math.max(1, all - platform) };
}

/**
 * Runs `work` in one transaction that can read and change the rows of one organisation only (row-level security). Role and settings end
 * with the transaction, so nothing leaks through a pooled connection.
 * @throws TypeError when the tenant's ids are not UUIDs
 */
export function asTenant<T>(db: Database, tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T> {
  checkTenant(tenant);
  return inTransaction(db.$requests, openingOf(tenant), (tx) => workAndWrite(ofTenant(tx), work));
}

/** `asTenant` bound to one tenant: runs each work in a transaction of its own. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * `asTenant` on a platform connection, for transactions that change platform rows together with the tenant's. Only platform connections can
 * leave the role of requests (accounts/organizations/platform-rows.ts).
 */
export function asTenantOfPlatform<T>(db: Database, tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T> {
  checkTenant(tenant);
  return inTransaction(db.$client, openingOf(tenant), (tx) => workAndWrite(tx, work));
}

async function workAndWrite<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await work(tx);
  await beforeCommit(tx);
  return result;
}

const openingOf = ({ organizationId, userId }: Tenant): string =>
  `begin; select set_config('app.org', '${organizationId}', true), set_config('app.user', '${userId}', true),
    set_config('role', 'dt_request', true)`;

/** @throws TypeError when the ids are not UUIDs */
export function checkTenant({ organizationId, userId }: Tenant): void {
  if (!UUID.test(organizationId) || !UUID.test(userId)) throw new TypeError("A tenant is named by UUIDs");
}

/** Reads across organisations, for platform totals and for resuming jobs; the role is read-only. */
export function asPlatform<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db.$client, "begin; select set_config('role', 'dt_platform', true)", work);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const tenantsOf = new WeakMap<Tx, Tx>();

/** Wraps a transaction so that each of its statements may only read or change rows (single-statement.ts). */
function ofTenant(tx: Tx): Tx {
  const known = tenantsOf.get(tx);
  if (known !== undefined) return known;
  const { $client } = tx;
  const client = { query: (config: QueryConfig, values?: unknown[]) => queryOnce($client, config, values) };
  // drizzle's driver uses no other method of a client.
  const guarded = drizzle(client as unknown as PoolClient);
  tenantsOf.set(tx, guarded);
  return guarded;
}

const transactions = new WeakMap<PoolClient, Tx>();

function onClient(client: PoolClient): Tx {
  const known = transactions.get(client);
  if (known !== undefined) return known;
  const tx = drizzle(client);
  transactions.set(client, tx);
  return tx;
}

/** Replaces drizzle's `transaction`: all opening statements go in one message, which saves a third of a short transaction's time. */
async function inTransaction<T>(pool: Pool, opening: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const opened = new Error();
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(opening);
    const result = await holdsOf.get(pool)!.whileHolding(client, opened, () => work(onClient(client)));
    await client.query("commit");
    return result;
  } catch (error) {
    // If `work` continues, it must find no connection. Closing the connection rolls everything back.
    if (error instanceof StalledTransaction) broken = error;
    // A rollback would wait as long for a server that has fallen silent; closing the connection has the same effect.
    broken ??= causes(error).find(
      ({ message, code }) => QUERY_TIMEOUT_MESSAGE.test(message) || code === CACHED_PLAN_OUTDATED,
    );
    if (broken === undefined) {
      await client.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    client.release(broken);
    if (isInBackground()) await backgroundThrottle.turn();
  }
}
