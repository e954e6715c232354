import type { FastifyRateLimitOptions } from "@fastify/rate-limit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { openSharedCounts, type SharedCounts } from "./shared-counts.ts";

const WINDOW_MS = 600_000;
const WAIT = { timeout: 20_000, interval: 50 };

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let processes: [SharedCounts, SharedCounts];
beforeAll(async () => {
  database = await openTestDatabase();
  const log = createLog("silent");
  processes = [await openSharedCounts(database, log), await openSharedCounts(database, log)];
});
afterAll(async () => {
  for (const counts of processes) await counts.close();
  await database.close();
});

const OPTIONS: FastifyRateLimitOptions = {};
/** A count for the address at this process. */
function countOn({ Store }: SharedCounts, address: string, url?: string): Promise<{ current: number; ttl: number }> {
  const all = new Store(OPTIONS);
  const route = { routeInfo: { method: "POST", url } } as unknown as Parameters<typeof all.child>[0];
  const store = url === undefined ? all : all.child(route);
  return new Promise((resolve, reject) => {
    store.incr(address, (error, counted) => (error ? reject(error) : resolve(counted!)), WINDOW_MS, 10);
  });
}

test("what one process has counted the other counts too, each address and each route for itself", async () => {
  const [one, other] = processes;
  for (let calls = 1; calls <= 5; calls++) expect((await countOn(one, "192.0.2.1")).current).toBe(calls);
  await countOn(one, "192.0.2.1", "/login");
  let own = 0;
  const heard = async () => (await countOn(other, "192.0.2.1")).current - ++own;
  await expect.poll(heard, WAIT).toBe(5);
  expect((await countOn(other, "192.0.2.2")).current).toBe(1);
  await expect.poll(async () => (await countOn(other, "192.0.2.1", "/login")).current, WAIT).toBeGreaterThan(1);
  const { current, ttl } = await countOn(other, "192.0.2.3", "/login");
  expect(current).toBe(1);
  expect(ttl).toBeGreaterThan(0);
  expect(ttl).toBeLessThanOrEqual(WINDOW_MS);
  // The first process receives the other's counts, and never its own.
  await expect.poll(async () => (await countOn(one, "192.0.2.2")).current, WAIT).toBeGreaterThan(1);
});

test("a limiter without a route counts under its own name, and one without a name is refused at the start", async () => {
  const { Store } = processes[0];
  const counted = (groupId: string) =>
    new Promise<number>((resolve, reject) => {
      const store = new Store(OPTIONS).child({ routeInfo: {}, groupId } as unknown as Parameters<
        InstanceType<typeof Store>["child"]
      >[0]);
      store.incr("192.0.2.9", (error, result) => (error ? reject(error) : resolve(result!.current)), WINDOW_MS, 10);
    });
  expect([await counted("a"), await counted("a"), await counted("b")]).toEqual([1, 2, 1]);
  expect((await countOn(processes[0], "192.0.2.9")).current).toBe(1);
  expect(() => new Store(OPTIONS).child({ routeInfo: {} } as never)).toThrow("groupId");
});
