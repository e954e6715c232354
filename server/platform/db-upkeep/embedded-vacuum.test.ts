import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { EmbeddedVacuum } from "./embedded-vacuum.ts";

describe.skipIf(!("path" in inject("databaseSnapshot")))(
  "vacuuming the embedded database, which has no autovacuum",
  () => {
    let database: OpenDatabase;
    beforeAll(async () => {
      database = await openTestDatabase();
    });
    afterAll(() => database.close());

    const run = async (statement: string) => (await database.db.$client.query(statement)).rows;

    /** Creates a table of 2,000 rows, each changed `rounds` times. */
    async function changedTable(name: string, rounds = 5) {
      await run(`create table ${name} (id int primary key, n int, words text)`);
      await run(`insert into ${name} select g, 0, repeat('слово ', 20) from generate_series(1, 2000) g`);
      await change(name, rounds);
    }

    async function change(name: string, rounds: number) {
      for (let round = 0; round < rounds; round++) await run(`update ${name} set n = n + 1`);
      // Otherwise PostgreSQL counts the changes of the last second only later.
      await run("select pg_stat_force_next_flush()");
    }

    async function stateOf(name: string) {
      const [row] = await run(
        `select n_dead_tup::int as dead, n_mod_since_analyze::int as "notAnalyzed", last_vacuum is not null as vacuumed,
         pg_relation_size(relid)::int as bytes from pg_stat_all_tables where relname = '${name}'`,
      );
      return row as { dead: number; notAnalyzed: number; vacuumed: boolean; bytes: number };
    }

    function vacuumOf(options: ConstructorParameters<typeof EmbeddedVacuum>[2] = {}) {
      const vacuumed: string[] = [];
      const log = { debug: ({ table }: { table: string }) => void vacuumed.push(table) };
      return { vacuum: new EmbeddedVacuum(database, log as never, options), vacuumed };
    }

    test("gives the room of changed rows to new ones, so that a table that only changes stops growing", async () => {
      await changedTable("changing");
      const { vacuum } = vacuumOf();
      const before = await stateOf("changing");
      expect(before.dead).toBeGreaterThan(8000);

      await vacuum.look();
      expect(await stateOf("changing")).toMatchObject({ dead: 0, vacuumed: true, notAnalyzed: 0 });
      for (let day = 0; day < 5; day++) {
        await change("changing", 3);
        await vacuum.look();
      }
      expect((await stateOf("changing")).bytes).toBeLessThanOrEqual(before.bytes);
    });

    test("leaves alone what has hardly changed", async () => {
      await changedTable("still");
      const { vacuum, vacuumed } = vacuumOf();
      await vacuum.look();
      await run("update still set n = 0 where id <= 100");
      await run("select pg_stat_force_next_flush()");
      vacuumed.length = 0;

      await vacuum.look();
      expect(vacuumed).not.toContain("public.still");
    });

    test("does without large tables while people are about, because all wait for its end, but for an hour at most", async () => {
      await changedTable("large");
      const way = { isForegroundActive: true };
      const { vacuum, vacuumed } = vacuumOf({ way, largeBytes: 100_000 });
      const now = Date.now();
      await vacuum.look(now);
      await vacuum.look(now + 59 * 60_000);
      expect(vacuumed).not.toContain("public.large");
      expect((await stateOf("large")).dead).toBeGreaterThan(8000);

      await vacuum.look(now + 60 * 60_000);
      expect(vacuumed).toContain("public.large");

      await change("large", 3);
      vacuumed.length = 0;
      way.isForegroundActive = false;
      await vacuum.look(now + 61 * 60_000);
      expect(vacuumed).toContain("public.large");
    });

    test("begins no further table once the server stops", async () => {
      await changedTable("late");
      const { vacuum, vacuumed } = vacuumOf();
      await vacuum.look(Date.now(), AbortSignal.abort());
      expect(vacuumed).toEqual([]);
    });
  },
);
