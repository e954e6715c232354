import { getTableColumns, is } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import * as schema from "#server/test/all-tables.ts";
import { COLUMN_SECRECY } from "./column-secrecy.ts";

const tenantTables = Object.values(schema)
  .filter((value) => is(value, PgTable))
  .filter((table) => "orgId" in getTableColumns(table));

/** Returns columns that can hold any text: an enum's values are not words of people. */
function textColumns(table: PgTable): string[] {
  return Object.entries(getTableColumns(table) as Record<string, PgColumn & { baseColumn?: PgColumn }>)
    .filter(([, { columnType }]) => ["PgText", "PgJsonb", "PgJson", "PgVarchar", "PgArray"].includes(columnType))
    .filter(([, { enumValues, baseColumn }]) => !(enumValues?.length || baseColumn?.enumValues?.length))
    .map(([name]) => name);
}

test("each column of text in a tenant table says whose secret its words are", () => {
  expect(tenantTables.length).toBeGreaterThan(50);
  const decided = Object.entries(COLUMN_SECRECY).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  const present = tenantTables.flatMap((table) => {
    const { name } = getTableConfig(table);
    return textColumns(table).map((column) => `${name}.${column}`);
  });
  expect(decided.toSorted()).toEqual(present.toSorted());
});

test("a secrecy that depends on the row has the column that states it", () => {
  const needed = { row: "secrecy", audience: "audience", state: "state" } as const;
  for (const table of tenantTables) {
    const columns = getTableColumns(table) as Record<string, PgColumn>;
    const { name } = getTableConfig(table);
    for (const secrecy of Object.values(COLUMN_SECRECY[name] ?? {})) {
      const column = needed[secrecy as keyof typeof needed];
      if (column === undefined) continue;
      expect(columns[column]?.notNull, `${name}.${column}`).toBe(true);
    }
    // The code that inserts a row must decide, so the column has no default.
    if ("secrecy" in columns) expect(columns.secrecy?.hasDefault, `${name}.secrecy`).toBe(false);
  }
});
