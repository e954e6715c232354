/**
 * Allows only single statements that read or change rows under a tenant's role. Injected SQL can neither add a statement nor change the
 * role, settings or tables.
 */
import type { QueryConfig, QueryResult } from "pg";

/** A statement in parentheses can only be a query. */
const ROWS = /^[\s(]*(?:select|with|insert|update|delete)\b/i;

/** @throws TypeError for any other kind of statement */
export function checkStatement(text: string): void {
  if (!ROWS.test(text)) throw new TypeError(`A tenant's statement reads or changes rows: ${text.trim().slice(0, 40)}`);
}

interface Querying {
  query(config: QueryConfig, values?: unknown[]): Promise<QueryResult>;
}

/** Forces the extended protocol, which accepts one statement: PostgreSQL refuses «…; …» as a whole with 42601. */
export async function queryOnce(client: Querying, config: QueryConfig, values?: unknown[]): Promise<QueryResult> {
  checkStatement(config.text);
  // Statements with values or a name use the extended protocol anyway.
  const extended =
    config.name !== undefined || (values ?? config.values ?? []).length > 0
      ? config
      : ({ ...config, queryMode: "extended" } as QueryConfig);
  return client.query(extended, values);
}
