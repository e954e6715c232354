import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openTestDatabase } from "#server/test/database.ts";
import { runUnlessLocked, runWithLock } from "./one-at-a-time.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test.skipIf("path" in inject("databaseSnapshot"))(
  "what one process is at another leaves alone or waits for; other work goes on, and a failure ends it too",
  async () => {
    const steps: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const first = runUnlessLocked(database, "cleanup", async () => {
      begin();
      await held;
      steps.push("first");
      throw new Error("cut off");
    });
    await begun;
    expect(await runUnlessLocked(database, "cleanup", async () => void steps.push("beside"))).toBe(false);
    expect(await runUnlessLocked(database, "demo", async () => void steps.push("other"))).toBe(true);
    const waiting = runWithLock(database, "cleanup", async () => void steps.push("waiting"));
    release();
    await expect(first).rejects.toThrow("cut off");
    await waiting;
    expect(steps).toEqual(["other", "first", "waiting"]);
  },
);

test("the work is done where no other process is doing it", async () => {
  const steps: string[] = [];
  await runWithLock(database, "demo", async () => void steps.push("waited"));
  expect(await runUnlessLocked(database, "cleanup", async () => void steps.push("at once"))).toBe(true);
  expect(steps).toEqual(["waited", "at once"]);
});
