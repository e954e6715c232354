import { sql } from "drizzle-orm";
import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { databaseFact } from "#server/operations/health/report.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { startBackfills } from "#server/platform/jobs/backfills.ts";
import type { Log } from "#server/platform/log.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { PLANTED, plantedLedger, plantRows } from "#server/test/planted-rows.ts";
import { killBackfill } from "#server/test/processes/killed-backfill.ts";
import { type Backfill, type BackfillState, listUnfinishedBackfills, runBackfill } from "./backfill.ts";

vi.setConfig({ testTimeout: 600_000 });

const ROWS = 2000;
const AT_ONCE = 50;

let database: OpenDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

const query = (statement: string) => database.db.$client.query(statement);

// This is the only test in `npm test` that kills a process on PostgreSQL; the embedded engine takes seconds, in backfill.full.test.ts.
test.skipIf("path" in inject("databaseSnapshot"))("a backfill that is killed changes every row once", async () => {
  expect(await killBackfill(ROWS, AT_ONCE, [25])).toEqual([expect.stringMatching(/^with batch/)]);
});

test("concurrent writers wait for the current batch at most, however many batches there are", async () => {
  const { db } = database;
  await plantRows(db, ROWS);
  const states: BackfillState[] = [];
  let ended = false;
  const running = runBackfill(db, PLANTED, { rowsAtOnce: AT_ONCE, onBatch: (state) => states.push(state) }).finally(
    () => {
      ended = true;
    },
  );
  // Waits are counted in batches that end in the meantime: seconds would depend on the machine.
  const waits: number[] = [];
  for (let id = 1; !ended; id = (id * 7919 + 1) % ROWS) {
    const began = states.length;
    await db.execute(sql`update planted_rows set touched = touched + 1 where id = ${id}`);
    if (!ended) waits.push(states.length - began);
  }
  await running;
  expect(states.length).toBeGreaterThanOrEqual(ROWS / AT_ONCE);
  expect(waits.length).toBeGreaterThan(10);
  // At most the batch in progress and one that overtakes. On PostgreSQL an update waits only for locks of its own row, so batches that end
  // while this process has no CPU do not count.
  if (database.kind === "embedded") expect(Math.max(...waits)).toBeLessThanOrEqual(2);
  const sizes = states.map(({ rows }, at) => rows - (states[at - 1]?.rows ?? 0));
  expect(Math.max(...sizes)).toBe(AT_ONCE);
  expect(await plantedLedger(query)).toEqual([{ times: 1, right: true, rows: ROWS }]);
});

test("one that is ended by a stopping server has committed its batches, and goes on at the next start", async () => {
  const { db } = database;
  await plantRows(db, ROWS);
  const ending = new AbortController();
  const onBatch = ({ rows }: BackfillState) => {
    if (rows >= ROWS / 2) ending.abort();
  };
  expect(await runBackfill(db, PLANTED, { rowsAtOnce: AT_ONCE, signal: ending.signal, onBatch })).toBe(false);
  const [state] = await listUnfinishedBackfills(db, [PLANTED]);
  expect(state!.rows).toBeLessThan(ROWS / 2 + AT_ONCE);
  expect(await plantedLedger(query)).toContainEqual({ times: 1, right: true, rows: state!.rows });
  expect(await runBackfill(db, PLANTED)).toBe(true);
  expect(await plantedLedger(query)).toEqual([{ times: 1, right: true, rows: ROWS }]);
});

const plain = pgTable("plain_rows", { id: uuid().primaryKey(), after: text() });
const PLAIN: Backfill = {
  name: "plain",
  key: plain.id,
  set: sql`after = 'да', times = times + 1`,
  where: sql`${plain.after} is null`,
};

async function plantPlain(): Promise<void> {
  await query(
    "create table plain_rows (id uuid primary key default gen_random_uuid(), after text, times int not null default 0)",
  );
  await query("insert into plain_rows (after) select null from generate_series(1, 1000)");
}

test("two processes at one backfill share its batches; what has changed already stays as it is", async () => {
  const { db } = database;
  await plantPlain();
  await query("update plain_rows set after = 'сам' where ctid in (select ctid from plain_rows limit 10)");
  const [one, other] = await Promise.all([1, 2].map(() => runBackfill(db, PLAIN, { rowsAtOnce: 50 })));
  expect([one, other]).toEqual([true, true]);
  const { rows } = await query("select times, count(*)::int from plain_rows group by 1 order by 1");
  expect(rows).toEqual([
    { times: 0, count: 10 },
    { times: 1, count: 990 },
  ]);
});

test("a server runs them one after another, shows what is under way, and tries one that fails again", async () => {
  const { db } = database;
  await plantPlain();
  const failing: Backfill = { ...PLAIN, name: "fails at first", set: sql`later = 'да'`, where: sql`later is null` };
  const backfills = [failing, PLAIN];
  const state = await listUnfinishedBackfills(db, backfills);
  expect(state).toEqual([
    { name: "fails at first", rows: 0 },
    { name: "plain", rows: 0 },
  ]);
  const facts = {
    ...{
      at: new Date(),
      databaseMs: 1,
      connections: [],
      backfills: state,
      disk: null,
      files: true,
      unwritable: null,
      letters: null,
    },
    ...{ queues: [], stuck: [], channels: [], processes: null, backups: null },
  };
  expect(databaseFact(facts, "postgres")).toMatchObject({
    state: "ok",
    rows: expect.arrayContaining([
      { name: "Изменение данных после обновления (plain)", value: "идёт, просмотрено строк: 0" },
    ]),
  });
  const said: string[] = [];
  const log = {
    info: ({ backfill }: { backfill: string }, line: string) => void said.push(`${backfill}: ${line}`),
    error: (_: object, line: string) => void said.push(line),
  } as unknown as Log;
  const stop = startBackfills(database, log, { backfills, lookMs: 50 });
  onTestFinished(stop);
  await expect.poll(() => said, { timeout: 60_000 }).toContain("a backfill failed and is tried again");
  await query("alter table plain_rows add column later text");
  await expect.poll(() => listUnfinishedBackfills(db, backfills), { timeout: 60_000 }).toEqual([]);
  await stop();
  expect(said.slice(-3)).toEqual([
    "fails at first: a backfill has ended",
    "plain: a backfill begins or goes on",
    "plain: a backfill has ended",
  ]);
});
