/** The database's schema is divided by wing, and tests that look at all tables find all of them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import * as tables from "../all-tables.ts";

const SCHEMA = resolve(import.meta.dirname, "../../platform/db/schema");
const files = readdirSync(SCHEMA).map((name) => ({ name, text: readFileSync(join(SCHEMA, name), "utf8") }));

test("no file of the schema is longer than 500 lines", () => {
  expect(files.filter(({ text }) => text.split("\n").length > 500).map(({ name }) => name)).toEqual([]);
});

test("server/test/all-tables.ts exports every table of the schema", () => {
  const declared = files.flatMap(({ text }) =>
    [...text.matchAll(/^export const (\w+) = pgTable\(/gm)].map(([, name]) => name!),
  );
  const exported = Object.entries(tables).flatMap(([name, value]) => (is(value, PgTable) ? [name] : []));
  expect(declared.length).toBeGreaterThan(90);
  expect(exported.sort()).toEqual(declared.sort());
});
