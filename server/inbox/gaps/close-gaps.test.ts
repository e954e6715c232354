/** The job may be killed at any moment: settled questions stay settled, and no contact is notified twice. */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withModels } from "#server/answers/replies/models.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { gapQuestions, outbox } from "#server/platform/db/schema/conversations.ts";
import { type AskedTwin, askedTwin, newVisitor } from "#server/test/gaps/asked-twin.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { closeGaps, resumeGaps } from "./close-gaps.ts";

let t: TestApp;
let twin: AskedTwin;
beforeAll(async () => {
  t = await testApp();
  twin = await askedTwin(t, await t.signUp());
  await twin.answersBy("draft");
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

/** Aborts the run when it checks the signal for the n-th time, like a killed process. */
function endingAt(looks: number): AbortSignal {
  const controller = new AbortController();
  let left = looks;
  const { signal } = controller;
  const look = signal.throwIfAborted.bind(signal);
  signal.throwIfAborted = () => {
    if (--left < 0) controller.abort();
    look();
  };
  return signal;
}

const run = async (signal: AbortSignal): Promise<boolean> => {
  const data = { ...twin.owner.caller, twinId: twin.twinId };
  try {
    await closeGaps(await withModels(t.services, data), data, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
};

test("killed at every step and run again, it makes one draft for each who asked and one gap for all", async () => {
  const visitors = [newVisitor(), newVisitor(), newVisitor()];
  for (const visitor of visitors) await twin.ask(visitor, "Во сколько лет можно водить снегоход?");
  for (let looks = 0; !(await run(endingAt(looks))); looks++) expect(looks).toBeLessThan(100);
  const { gaps } = await twin.list();
  expect(gaps).toMatchObject([{ times: 3, people: 3 }]);
  expect(await twin.answer(gaps[0]!, "Снегоход можно водить с 16 лет.")).toBe(204);
  expect((await twin.list("answered")).working).toBe(true);
  let looks = 0;
  for (; !(await run(endingAt(looks))); looks++) expect(looks).toBeLessThan(100);
  expect(looks).toBeGreaterThan(3);
  await run(new AbortController().signal);
  const made = await asTenant(t.services.db, twin.owner.caller, (tx) =>
    tx
      .select()
      .from(outbox)
      .where(and(eq(outbox.state, "draft"), isNotNull(outbox.citations))),
  );
  expect(made.filter(({ text }) => text.includes("16"))).toHaveLength(3);
  expect(made).toHaveLength(3);
  const told = await asTenant(t.services.db, twin.owner.caller, (tx) => tx.select().from(gapQuestions));
  expect(told.map((one) => one.told)).toEqual(["draft", "draft", "draft"]);
});

test("a question or an answer whose job was lost is taken up again by the next start, once it is late", async () => {
  const { db } = t.services;
  const planned = async () => {
    await db.execute(sql`delete from jobs.job where name = 'close-gaps'`);
    await resumeGaps(t.services);
    const { rows } = await db.execute(
      sql`select data ->> 'twinId' as "twinId" from jobs.job where name = 'close-gaps'`,
    );
    return rows;
  };
  await twin.ask(newVisitor(), "Где купить лодку?");
  expect(await planned()).toEqual([]);
  const late = (tx: Tx, table: string, column: string) =>
    tx.execute(sql.raw(`update ${table} set ${column} = ${column} - interval '6 minutes'`));
  await asTenant(db, twin.owner.caller, (tx) => late(tx, "gap_questions", "asked_at"));
  expect(await planned()).toEqual([{ twinId: twin.twinId }]);
  expect(await run(new AbortController().signal)).toBe(true);
  expect(await planned()).toEqual([]);
  const [boat] = (await twin.list()).gaps;
  expect(await twin.answer(boat!, "Лодку можно купить у нас на складе.")).toBe(204);
  expect(await planned()).toEqual([]);
  await asTenant(db, twin.owner.caller, (tx) => late(tx, "gaps", "decided_at"));
  expect(await planned()).toEqual([{ twinId: twin.twinId }]);
});
