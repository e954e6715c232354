import { getTableColumns, is, Placeholder, type SQL, sql } from "drizzle-orm";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";
import type { Tx } from "./database.ts";

/**
 * Prepares a statement of the hot path: its text is built once per process, and each connection parses and plans it once under its name.
 * docs/decisions/006-database-connections-and-embedded-engine.md lists the statements, and why a cached plan suits them.
 * @param name unique among all named statements
 * @param query contains `sql.placeholder(…)` for each of the `Values`; objects for JSON are passed as text
 * @returns a function that returns rows as `pg` parses them: timestamps are dates
 */
export function namedStatement<Values extends Record<string, unknown>, Row>(
  name: string,
  query: SQL,
): (tx: Tx, values: Values) => Promise<Row[]> {
  const { sql: text, params } = new PgDialect().sqlToQuery(query);
  // drizzle would compute this at each call (`fillPlaceholders`).
  const given = params.map((param) => (is(param, Placeholder) ? param.name : null));
  const valueAt = (values: Values, at: number) => {
    const key = given[at];
    if (key === null || key === undefined) return params[at];
    if (!(key in values)) throw new TypeError(`The statement «${name}» is not given its «${key}»`);
    return written(values[key]);
  };
  return async (tx, values) => {
    const { rows } = await tx.$client.query({ name, text, values: given.map((_, at) => valueAt(values, at)) });
    return rows as Row[];
  };
}

/** Formats an array of numbers faster than `pg`, which quotes each element separately. */
const written = (value: unknown): unknown =>
  Array.isArray(value) && value.every((element) => typeof element === "number") ? `{${value.join(",")}}` : value;

/** Selects a table's columns under the property names of its row type. */
export function columnsOf<Table extends PgTable>(table: Table, names: readonly (keyof Table["_"]["columns"])[]): SQL {
  const all = getTableColumns(table);
  return sql.join(
    names.map((name) => sql`${all[name]} as ${sql.identifier(String(name))}`),
    sql`, `,
  );
}
