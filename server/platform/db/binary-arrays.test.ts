import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase } from "#server/test/database.ts";
import { bigints, booleans, texts, timestamps } from "./binary-arrays.ts";
import type { OpenDatabase } from "./database.ts";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test("values that are sent as binary columns come back unchanged", async () => {
  const numbers = [0, -1, 2 ** 31, -(2 ** 32) - 5, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null];
  const words = ["", '{"a",\\N}', "ёжик 👩‍👩‍👧 ‏עברית‎\n\t", "NULL", "ж".repeat(100_000), null, "z"];
  const moments = [
    "1970-01-01T00:00:00.001Z",
    "0001-01-01T00:00:00Z",
    "2000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
  ];
  const times = moments.map((moment) => new Date(moment));
  const { rows } = await database.db.execute(sql`
    select ${bigints(numbers)} as numbers, ${texts(words)} as words, ${booleans([true, false])} as flags,
      array(select date_part('epoch', moment) * 1000 from unnest(${timestamps(times)}) moment) as times,
      cardinality(${texts([])}) as nothing`);
  const row = rows[0] as {
    numbers: (string | null)[];
    words: unknown;
    flags: unknown;
    times: number[];
    nothing: number;
  };
  expect(row.numbers.map((value) => (value === null ? null : Number(value)))).toEqual(numbers);
  expect(row).toMatchObject({ words, flags: [true, false], nothing: 0 });
  expect(row.times.map(Math.round)).toEqual(times.map((time) => time.getTime()));
  expect(() => bigints([2 ** 53])).toThrow(RangeError);
  expect(() => timestamps([new Date(Number.NaN)])).toThrow(RangeError);
});
