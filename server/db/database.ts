import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PGlite, PGliteOptions } from "@electric-sql/pglite";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg, { type Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from "pg";
import { lockDataFolder } from "./data-folder-lock.ts";
import { EmbeddedPool } from "./embedded-pool.ts";
import { causes, OUTDATED_PLAN, UNANSWERED } from "./failures.ts";
import { countStatements, GuardedPool, Holds, type StalledListener, StalledTransaction } from "./held-connection.ts";
import { pgliteStream } from "./pglite-stream.ts";
import { openRequestRole } from "./request-role.ts";
import { queryOnce } from "./single-statement.ts";

/**
 * The whole database on the connections of its owner: platform tables, the queue, migrations. Tenant rows go through `asTenant`, on
 * connections of their own whose role can do no more than requests may (docs/decisions/036).
 */
export type Database = Omit<NodePgDatabase, "transaction"> & {
  $client: Pool;
  /** Of requests. The embedded database has one connection for both. */
  $requests: Pool;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
};
/** A transaction (or the base connection where no tenant is concerned). Transactions do not nest. */
export type Tx = Pick<NodePgDatabase, "select" | "selectDistinct" | "insert" | "update" | "delete" | "execute"> & {
  $client: { query(config: QueryConfig): Promise<QueryResult> };
};

export interface OpenDatabase {
  db: Database;
  kind: "embedded" | "postgres";
  /** The embedded engine; null on PostgreSQL. */
  pglite: PGlite | null;
  /** Is told of a transaction that stood still and was ended. */
  onStalled(listener: StalledListener): void;
  /** Waits for the transactions that still run. */
  close(): Promise<void>;
}

/** Whose rows a transaction may see and touch. */
export interface Tenant {
  organizationId: string;
  userId: string;
}

// count(*) and sums come as int8: within 2^53 they are numbers for us.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A call that gets no connection for so long is told that the database is away. */
const CONNECTION_MS = 10_000;
/** All wait for one connection there, and an import's statements may take seconds each. */
const EMBEDDED_CONNECTION_MS = 30_000;
/** So is one whose statement stays unanswered for so long: a server or a network may fall silent without hanging up. */
const ANSWER_MS = 60_000;
/** A connection that was idle for so long is asked whether it still lives; the system's own two hours are too many. */
const KEEP_ALIVE_MS = 10_000;
/** A transaction that asks nothing for so long is ended: whoever it waits for may be waiting for its connection. */
const STILL_MS = 30_000;

/**
 * Opens PostgreSQL, or PGlite in `dataDir/database` when there is no address, and brings the schema up to date.
 * @param options.requestUrl where requests log in; null: with a role that is made here
 * @param options.secret what that role's password is derived from; the owner's address when absent
 * @param options.pool most connections to PostgreSQL, of requests and of the platform together, 10 when absent
 * @param options.answerMs most milliseconds that PostgreSQL may take for one statement
 * @param options.stillMs a transaction is ended after so many milliseconds without a statement
 */
export async function openDatabase(options: {
  databaseUrl: string | null;
  dataDir: string;
  requestUrl?: string | null;
  secret?: Buffer;
  pool?: number;
  answerMs?: number;
  stillMs?: number;
}): Promise<OpenDatabase> {
  if (options.databaseUrl !== null) {
    // A migration may take its time, and waits for another server's.
    const migrating = postgresPool({ connectionString: options.databaseUrl, max: 1 });
    await migrateDatabase(migrating).finally(() => migrating.end());
    const { databaseUrl, secret = databaseUrl, requestUrl = null } = options;
    const sizes = sharePool(options.pool ?? 10);
    const query_timeout = options.answerMs ?? ANSWER_MS;
    const requests = postgresPool({
      connectionString: await openRequestRole(databaseUrl, requestUrl, secret),
      max: sizes.requests,
      query_timeout,
    });
    const pool = postgresPool({ connectionString: databaseUrl, max: sizes.platform, query_timeout });
    return {
      ...onPool(pool, requests, options.stillMs),
      kind: "postgres",
      pglite: null,
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

/** The embedded engine. PostgreSQL's own 128 MB of buffers are filled with zeros at each start, and are memory that is used. */
export async function startPglite(options: PGliteOptions = {}): Promise<PGlite> {
  const { PGlite } = await import("@electric-sql/pglite");
  return PGlite.create({ ...options, startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB"] });
}

/** Opens an existing PGlite instance (its folder's lock is the caller's business). */
export async function wrapPglite(pglite: PGlite, { stillMs }: { stillMs?: number } = {}): Promise<OpenDatabase> {
  const pool = new EmbeddedPool({ user: "postgres", stream: () => pgliteStream(pglite) }, EMBEDDED_CONNECTION_MS);
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  await migrateDatabase(pool);
  // Its session is a superuser's: the role of requests, which is put on for each transaction, must have no way to put it off.
  await pool.query("revoke execute on function pg_catalog.set_config(text, text, boolean) from public");
  return {
    ...onPool(pool, pool, stillMs),
    kind: "embedded",
    pglite,
    close: async () => {
      await pool.end();
      await pglite.close();
    },
  };
}

export { isDatabaseAway, sqlState } from "./failures.ts";

export const MIGRATIONS = join(import.meta.dirname, "migrations");

function postgresPool(config: PoolConfig): Pool {
  const pool = new GuardedPool({
    ...config,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECTION_MS,
  });
  // A broken connection is replaced by the pool; without a listener it would end the process. The pool's own stands for
  // idle connections only, the client's for one that breaks between two statements of a transaction.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** drizzle's own `transaction` never gives its connection back when `begin` fails, as it does on one that just broke. */
function onPool(pool: Pool, requests: Pool, stillMs = STILL_MS): Pick<OpenDatabase, "db" | "onStalled"> {
  const holds = new Holds(stillMs);
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

const holdsOf = new WeakMap<Pool, Holds>();

/** Whether one connection serves all, as on the embedded engine: whatever takes long keeps everybody waiting. */
export const sharesOneConnection = (db: Database): boolean => db.$client === db.$requests;

/** Requests do most of the work; sessions, the queue and what reads across organisations are the platform's. At least one for each. */
export function sharePool(all: number): { requests: number; platform: number } {
  const platform = Math.max(1, Math.round(all / 3));
  return { platform, requests: Math.max(1, all - platform) };
}

async function migrateDatabase(pool: Pool): Promise<void> {
  if (!existsSync(MIGRATIONS)) throw new Error(`No migrations at ${MIGRATIONS}`);
  // Two servers that start at once on one PostgreSQL take turns.
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock(727460001)");
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
  } finally {
    await client.query("select pg_advisory_unlock_all()").catch(() => {});
    client.release();
  }
}

/**
 * Runs `work` in one transaction that sees and may touch the rows of one organisation only (row-level security).
 * The role and the settings end with the transaction, so nothing leaks through a pooled connection.
 * @throws TypeError when the tenant's ids are no UUIDs
 */
export function asTenant<T>(db: Database, tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T> {
  checkTenant(tenant);
  return inTransaction(db.$requests, openingOf(tenant), (tx) => work(ofTenant(tx)));
}

/**
 * The same on a connection of the platform, for what changes platform rows with the tenant's in one transaction: there alone the role of
 * requests can be left (organizations/platform-rows.ts).
 */
export function asTenantOfPlatform<T>(db: Database, tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T> {
  checkTenant(tenant);
  return inTransaction(db.$client, openingOf(tenant), work);
}

const openingOf = ({ organizationId, userId }: Tenant): string =>
  `begin; select set_config('app.org', '${organizationId}', true), set_config('app.user', '${userId}', true),
    set_config('role', 'dt_request', true)`;

/** @throws TypeError when its ids are no UUIDs */
export function checkTenant({ organizationId, userId }: Tenant): void {
  if (!UUID.test(organizationId) || !UUID.test(userId)) throw new TypeError("A tenant is named by UUIDs");
}

/** Reads across organisations (platform totals, resuming jobs); the role can change nothing. */
export function asPlatform<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db.$client, "begin; select set_config('role', 'dt_platform', true)", work);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const tenantsOf = new WeakMap<Tx, Tx>();

/** Each of its statements is one that reads or changes rows (single-statement.ts). */
function ofTenant(tx: Tx): Tx {
  const known = tenantsOf.get(tx);
  if (known !== undefined) return known;
  const { $client } = tx;
  const client = { query: (config: QueryConfig, values?: unknown[]) => queryOnce($client, config, values) };
  // drizzle's driver asks no more of a client.
  const guarded = drizzle(client as unknown as PoolClient);
  tenantsOf.set(tx, guarded);
  return guarded;
}

/** Built once for each connection. */
const transactions = new WeakMap<PoolClient, Tx>();

function onClient(client: PoolClient): Tx {
  const known = transactions.get(client);
  if (known !== undefined) return known;
  const tx = drizzle(client);
  transactions.set(client, tx);
  return tx;
}

/** Like drizzle's `transaction`, but what opens it goes to the server in one message: that is a third of a short one. */
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
    // What the work goes on to do must find no connection. Hanging up takes everything back.
    if (error instanceof StalledTransaction) broken = error;
    // A server that has fallen silent would let the rollback wait as long again; hanging up does the same.
    broken ??= causes(error).find(({ message, code }) => UNANSWERED.test(message) || code === OUTDATED_PLAN);
    if (broken === undefined) {
      await client.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
