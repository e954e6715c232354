import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { runForCaller, runInBackground } from "../caller-priority.ts";
import type { OpenDatabase } from "../database.ts";

describe.skipIf(!("path" in inject("databaseSnapshot")))("the one connection of the embedded database", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    // The test files of a worker share a process: after the previous file's requests, a job still pauses between two pieces.
    await vi.waitFor(() => expect(backgroundThrottle.isForegroundActive).toBe(false), { timeout: 5000 });
  });
  afterAll(() => database.close());

  async function servedOf(asks: (ask: (who: string) => Promise<unknown>) => Promise<unknown>[]): Promise<string[]> {
    const { db } = database;
    const served: string[] = [];
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holder = db.transaction(() => {
      begun.resolve();
      return held;
    });
    await begun.promise;
    const asked = asks((who) => {
      const query = async () => {
        await db.$client.query("select 1");
        served.push(who);
      };
      return who === "job" ? runInBackground(query) : runForCaller(who, query);
    });
    letGo();
    await Promise.all([holder, ...asked]);
    return served;
  }

  test("is given to users in turn, however many statements one of them sends", async () => {
    const served = await servedOf((ask) => [...Array.from({ length: 30 }, () => ask("ann")), ask("bob"), ask("bob")]);
    expect(served.indexOf("bob")).toBeLessThan(3);
    expect(served.lastIndexOf("bob")).toBeLessThan(5);
  });

  test("is given to users before jobs, but to a job after a number of users", async () => {
    const served = await servedOf((ask) => [ask("job"), ask("job"), ...Array.from({ length: 30 }, () => ask("ann"))]);
    expect(served[0]).toBe("ann");
    expect(served.indexOf("job")).toBeLessThan(10);
    expect(served.lastIndexOf("job")).toBeLessThan(20);
  });

  test("is given to a piece of background work that had to wait for its share already before users", async () => {
    backgroundThrottle.begin({ expensive: true })();
    const served = await servedOf((ask) => [ask("job"), ...Array.from({ length: 5 }, () => ask("ann"))]);
    expect(served.indexOf("job")).toBeLessThan(2);
  });
});
