import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PGlite, PGliteOptions } from "@electric-sql/pglite";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg, { type Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from "pg";
import { lockDataFolder } from "./data-folder-lock.ts";
import { countStatements, GuardedPool, Holds, type StalledListener, StalledTransaction } from "./held-connection.ts";
import { pgliteStream } from "./pglite-stream.ts";

/** The whole database on its base connection: platform tables, migrations. Tenant rows go through `asTenant`. */
export type Database = Omit<NodePgDatabase, "transaction"> & {
  $client: Pool;
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
 * @param options.pool most connections to PostgreSQL, 10 when absent
 * @param options.answerMs most milliseconds that PostgreSQL may take for one statement
 * @param options.stillMs a transaction is ended after so many milliseconds without a statement
 */
export async function openDatabase(options: {
  databaseUrl: string | null;
  dataDir: string;
  pool?: number;
  answerMs?: number;
  stillMs?: number;
}): Promise<OpenDatabase> {
  if (options.databaseUrl !== null) {
    // A migration may take its time, and waits for another server's.
    const migrating = postgresPool({ connectionString: options.databaseUrl, max: 1 });
    await migrateDatabase(migrating).finally(() => migrating.end());
    const pool = postgresPool({
      connectionString: options.databaseUrl,
      max: options.pool ?? 10,
      query_timeout: options.answerMs ?? ANSWER_MS,
    });
    return { ...onPool(pool, options.stillMs), kind: "postgres", pglite: null, close: () => pool.end() };
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
  // PGlite is one connection: the pool makes every transaction wait for its turn.
  const pool = new GuardedPool({
    user: "postgres",
    stream: () => pgliteStream(pglite),
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: EMBEDDED_CONNECTION_MS,
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  await migrateDatabase(pool);
  return {
    ...onPool(pool, stillMs),
    kind: "embedded",
    pglite,
    close: async () => {
      await pool.end();
      await pglite.close();
    },
  };
}

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
function onPool(pool: Pool, stillMs = STILL_MS): Pick<OpenDatabase, "db" | "onStalled"> {
  const holds = new Holds(stillMs);
  holdsOf.set(pool, holds);
  countStatements(pool);
  const db = Object.assign(drizzle(pool), {
    transaction: <T>(work: (tx: Tx) => Promise<T>) => inTransaction(pool, "begin", work),
  });
  return { db, onStalled: (listener) => holds.onStalled(listener) };
}

const holdsOf = new WeakMap<Pool, Holds>();

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
  const { organizationId, userId } = tenant;
  const settings = `set_config('app.org', '${organizationId}', true), set_config('app.user', '${userId}', true)`;
  return inTransaction(db.$client, `begin; select set_config('role', 'dt_request', true), ${settings}`, work);
}

/** @throws TypeError when its ids are no UUIDs */
export function checkTenant({ organizationId, userId }: Tenant): void {
  if (!UUID.test(organizationId) || !UUID.test(userId)) throw new TypeError("A tenant is named by UUIDs");
}

/** Reads across organisations (platform totals, resuming jobs); the role can change nothing. */
export function asPlatform<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db.$client, "begin; select set_config('role', 'dt_platform', true)", work);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

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

const AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "08000",
  "08003",
  "08006",
  "53300",
]);

/** What `pg` says when `query_timeout` is over. */
const UNANSWERED = /^Query read timeout/;
/** A migration has changed what a named statement gives: its connection keeps it until it ends. */
const OUTDATED_PLAN = "0A000";
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** Whether an error says that the database cannot be reached now. */
export function isDatabaseAway(error: unknown): boolean {
  return (
    causes(error).some(
      ({ code, message }) =>
        (typeof code === "string" && AWAY.has(code)) || LOST.test(message) || UNANSWERED.test(message),
    ) || error instanceof StalledTransaction
  );
}

/** SQLSTATE of a failed query, or undefined. */
export function sqlState(error: unknown): string | undefined {
  const found = causes(error).find(({ code }) => typeof code === "string" && /^[0-9A-Z]{5}$/.test(code));
  return found?.code as string | undefined;
}

/** The error and what led to it: drizzle keeps the driver's error in `cause`. */
function causes(error: unknown): (Error & { code?: unknown })[] {
  const chain: Error[] = [];
  for (let current = error; current instanceof Error; current = current.cause) chain.push(current);
  return chain;
}
