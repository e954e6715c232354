import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import * as schema from "#server/test/all-tables.ts";
import { EXPORTED_TABLES, NOT_EXPORTED } from "./catalogue.ts";

const tables = Object.values<unknown>(schema).filter((value): value is PgTable => is(value, PgTable));

test("every table is either exported or has a reason why not, so a new one must be decided on", () => {
  const exported = EXPORTED_TABLES.map(({ table }) => getTableName(table));
  expect(new Set(exported).size).toBe(exported.length);
  expect(tables.length).toBeGreaterThan(60);
  expect([...exported, ...Object.keys(NOT_EXPORTED)].sort()).toEqual(tables.map((table) => getTableName(table)).sort());
});

test.each(EXPORTED_TABLES)(
  "$name: every column stands in the lines, or it is said why not",
  ({ table, columns, without }) => {
    const all = getTableColumns(table) as Record<string, PgColumn>;
    const rest = Object.keys(all).filter((name) => !(name in columns) && !(name in without));
    // An export covers one organisation, so its id is left out.
    expect(rest.filter((name) => name !== "orgId")).toEqual([]);
    for (const name of Object.keys(without)) expect(columns, name).not.toHaveProperty(name);
  },
);

test("exported lines hold no hashes, secrets or sealed bytes", () => {
  const DOOR = /hash|secret|token_|password|credential|public_key|prefix/;
  const shown = EXPORTED_TABLES.flatMap(({ name, columns }) =>
    Object.entries(columns)
      .filter(([, column]) => is(column, PgColumn) && (column.dataType === "custom" || DOOR.test(column.name)))
      .map(([column]) => `${name}.${column}`),
  );
  // The hash of a document is exported so that its text can be compared.
  expect(shown).toEqual(["documents.contentHash"]);
});
