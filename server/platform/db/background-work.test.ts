/** On both engines, background work gets a connection only while no request is being answered, and all other work at once. */
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { runBehindCallers, runForCaller, runInBackground } from "./caller-priority.ts";
import { asTenant, type OpenDatabase } from "./database.ts";
import { eachAsTenant } from "./tenant-statements.ts";

const TENANT = {
  organizationId: "00000000-0000-4000-8000-000000000001",
  userId: "00000000-0000-4000-8000-000000000002",
};

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  while (backgroundThrottle.isForegroundActive) await sleep(100);
  const now = Math.ceil(performance.now());
  // On a busy machine a statement may take longer than background work waits.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  // Answers that another file has left under way would never become too long to wait for, because this clock stands still.
  vi.advanceTimersByTime(now + 1000);
});
afterAll(async () => {
  vi.useRealTimers();
  await database.close();
});

test("whichever way background work asks for a connection, an answer that is under way comes first", async () => {
  const { db } = database;
  const asked: [way: string, ask: () => Promise<unknown>][] = [
    ["a statement", () => db.execute(sql`select 1`)],
    ["a query of the pool", () => db.$client.query("select 1")],
    ["a transaction", () => db.transaction((tx) => tx.execute(sql`select 1`))],
    ["a tenant's transaction", () => asTenant(db, TENANT, (tx) => tx.execute(sql`select 1`))],
    ["a tenant's statement", () => eachAsTenant(db, TENANT).execute(sql`select 1`)],
  ];
  for (const [way, query] of asked) {
    // Drizzle sends a query only when its result is awaited.
    const ask = async () => void (await query());
    const served: string[] = [];
    const answered = backgroundThrottle.begin({ expensive: true });
    const background = runInBackground(ask).then(() => served.push("background"));
    await runForCaller("ann", ask).then(() => served.push("ann"));
    await runBehindCallers(ask).then(() => served.push("a contact"));
    answered();
    await background;
    expect(served, way).toEqual(["ann", "a contact", "background"]);
  }
});

test("a transaction of background work ends its piece, also when it fails, so that the next begins", async () => {
  const { db } = database;
  backgroundThrottle.begin({ expensive: true })();
  const begun: string[] = [];
  const work = (name: string, end: () => Promise<unknown>) =>
    runInBackground(() =>
      asTenant(db, TENANT, async (tx) => {
        begun.push(name);
        await tx.execute(sql`select 1`);
        await end();
      }),
    );
  const failed = Promise.withResolvers<void>();
  // The promise may be rejected before the work awaits it.
  failed.promise.catch(() => {});
  const first = work("first", () => failed.promise);
  const second = work("second", async () => {});
  while (begun.length === 0) await turn();
  for (let at = 0; at < 50; at++) await turn();
  expect(begun).toEqual(["first"]);
  failed.reject(new Error("no luck"));
  await expect(first).rejects.toThrow("no luck");
  await second;
  expect(begun).toEqual(["first", "second"]);
});
