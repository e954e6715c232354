/** Statements under row-level security that need no common transaction: one round trip each. */
import { drizzle } from "drizzle-orm/node-postgres";
import pg, { type Connection, type Pool, type PoolClient, type QueryConfig, type QueryResult } from "pg";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { isInBackground } from "./caller-priority.ts";
import { checkTenant, type Database, type Tenant, type Tx } from "./database.ts";
import { checkStatement } from "./transaction-pool/single-statement.ts";
import { UnnamedClient } from "./transaction-pool/unnamed-client.ts";

/**
 * Runs each statement in its own transaction that can read and change the rows of one organisation only, like `asTenant`. Role and settings
 * travel in the statement's message and end with it (messages up to a Sync are one transaction, PostgreSQL 55.2.4). Two statements may see
 * different states, and no connection is held between them.
 * @throws TypeError when the tenant's ids are not UUIDs
 */
export function eachAsTenant(db: Database, tenant: Tenant): Tx {
  checkTenant(tenant);
  const query = (config: QueryConfig, values?: unknown[]) => runAsTenant(db.$requests, tenant, config, values);
  // drizzle's driver uses no other method of a client.
  return drizzle({ query } as unknown as PoolClient);
}

const SETTINGS = "tenant";
// The query returns no row, so that the following rows are the statement's own. It also forces a plan that does not scan a whole table just
// because the table is small today.
const SETTINGS_TEXT = `select where concat(set_config('app.org', $1, true), set_config('app.user', $2, true),
  set_config('enable_seqscan', 'off', true), set_config('role', 'dt_request', true)) is null`;

/** Connections on which the settings' statement is prepared under its name. */
const prepared = new WeakSet<Connection>();

async function runAsTenant(
  pool: Pool,
  tenant: Tenant,
  config: QueryConfig,
  values: unknown[] | undefined,
): Promise<QueryResult> {
  checkStatement(config.text);
  const client = await pool.connect();
  const named = !(client instanceof UnnamedClient);
  let broken: Error | undefined;
  try {
    return await new Promise<QueryResult>((resolve, reject) => {
      let used: Connection | undefined;
      const query = extendedQuery(config, values, (error, results) => {
        if (error) return reject(error);
        if (named) prepared.add(used!);
        // The first result belongs to the settings, the second to the statement.
        resolve((results as unknown as QueryResult[])[1]!);
      });
      const { submit } = query;
      query.submit = (connection) => {
        used = connection;
        connection.stream.cork();
        try {
          sendSettings(connection, tenant, named ? SETTINGS : "");
          return submit.call(query, connection);
        } finally {
          connection.stream.uncork();
        }
      };
      client.query(query);
    });
  } catch (error) {
    // After a failure it is unknown which statements the connection has prepared.
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
    if (isInBackground()) await backgroundThrottle.turn();
  }
}

type Done = (error: Error | undefined, results: unknown) => void;

function extendedQuery(config: QueryConfig, values: unknown[] | undefined, done: Done): pg.Query {
  const queryMode = "extended";
  // `pg` copies a query config property by property with descriptors, which is too slow for the hot path.
  if (config.name !== undefined && config.types === undefined) {
    return Object.assign(new pg.Query(config.text, config.values, done), { name: config.name, queryMode });
  }
  return new pg.Query({ ...config, queryMode } as QueryConfig, values, done);
}

/** @param name under which the statement is prepared; empty: unprepared */
function sendSettings(connection: Connection, { organizationId, userId }: Tenant, name: string): void {
  if (!prepared.has(connection)) connection.parse({ name, text: SETTINGS_TEXT, types: [] }, true);
  connection.bind({ statement: name, values: [organizationId, userId] }, true);
  connection.execute({}, true);
}
