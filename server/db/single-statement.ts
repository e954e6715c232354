/**
 * What is asked under a tenant's role is one statement that reads or changes rows: text that came in by a fault of ours can neither add
 * a statement nor become one that changes role, settings or tables.
 */
import type { QueryConfig, QueryResult } from "pg";

/** In parentheses stand only what reads. */
const ROWS = /^[\s(]*(?:select|with|insert|update|delete)\b/i;

/** @throws TypeError for any other kind of statement */
export function checkStatement(text: string): void {
  if (!ROWS.test(text)) throw new TypeError(`A tenant's statement reads or changes rows: ${text.trim().slice(0, 40)}`);
}

interface Querying {
  query(config: QueryConfig, values?: unknown[]): Promise<QueryResult>;
}

/** By the extended protocol, which takes one statement: PostgreSQL refuses «…; …» whole, with 42601. */
export async function queryOnce(client: Querying, config: QueryConfig, values?: unknown[]): Promise<QueryResult> {
  checkStatement(config.text);
  // With values or under a name it is that protocol anyway.
  const extended =
    config.name !== undefined || (values ?? config.values ?? []).length > 0
      ? config
      : ({ ...config, queryMode: "extended" } as QueryConfig);
  return client.query(extended, values);
}
