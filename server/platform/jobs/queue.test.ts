import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { createLog } from "#server/platform/log.ts";
import { onServer, openTestDatabase } from "#server/test/database.ts";
import { JOB_RULES } from "./catalogue.ts";
import { type JobHandlers, type Jobs, openJobs } from "./queue.ts";

const tenant = { organizationId: randomUUID(), userId: randomUUID() };
const workers = Object.values(JOB_RULES).reduce((sum, rule) => sum + ("parallel" in rule ? rule.parallel : 1), 0);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("the queue", () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let jobs: Jobs;
  let looks = 0;
  const begun: string[] = [];
  let held: Promise<void> | undefined;

  beforeAll(async () => {
    database = await openTestDatabase();
    const client = database.db.$client;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    vi.spyOn(client, "query").mockImplementation(((...args: unknown[]) => {
      if (/with\s+next\s+as/i.test(String(args[0]))) looks++;
      return query(...args);
    }) as typeof client.query);
    jobs = await openJobs(database, createLog("silent"));
    const handle = async ({ twinId }: { twinId: string }) => {
      begun.push(twinId);
      await held;
    };
    const handlers = Object.fromEntries(Object.keys(JOB_RULES).map((name) => [name, handle]));
    await jobs.start(handlers as unknown as JobHandlers);
  });
  afterAll(async () => {
    await jobs.stop(2000);
    vi.restoreAllMocks();
    await database.close();
  });

  const train = (twinId: string, startAfter?: Date) =>
    asTenant(database.db, tenant, (tx) => jobs.enqueue(tx, "train-twin", { ...tenant, twinId }, startAfter));

  test("makes no queries while there is nothing to do", async () => {
    await vi.waitFor(() => expect(looks).toBeGreaterThanOrEqual(workers), { timeout: 10_000 });
    // After this pause the queues' settings have been read, and the test relies on notifications.
    await pause(1500);
    looks = 0;
    await pause(1500);
    expect(looks).toBeLessThanOrEqual(workers);
  });

  test("is notified of added jobs, and looks again when one becomes due", async () => {
    await train("now");
    await vi.waitFor(() => expect(begun).toContain("now"), { timeout: 3000 });
    await train("later", new Date(Date.now() + 700));
    await vi.waitFor(() => expect(begun).toContain("later"), { timeout: 4000 });
  });

  test("runs a job that was held back by its key", async () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    await train("key");
    await vi.waitFor(() => expect(begun).toContain("key"), { timeout: 3000 });
    await train("key");
    release();
    held = undefined;
    await vi.waitFor(() => expect(begun.filter((id) => id === "key")).toHaveLength(2), { timeout: 10_000 });
  });

  const snapshot = inject("databaseSnapshot");
  test.skipIf("path" in snapshot)("hears notifications again after PostgreSQL has cut its connection", async () => {
    const listening = sql`select pid from pg_stat_activity where datname = current_database() and query like 'listen%'`;
    const before = (await database.db.execute(listening)).rows;
    expect(before).toHaveLength(1);
    await onServer((snapshot as { url: string }).url, `select pg_terminate_backend(${before[0]!.pid})`);
    await vi.waitFor(
      async () => {
        const after = (await database.db.execute(listening)).rows;
        expect(after).toHaveLength(1);
        expect(after).not.toEqual(before);
      },
      { timeout: 10_000 },
    );
    await train("again");
    await vi.waitFor(() => expect(begun).toContain("again"), { timeout: 3000 });
  });
});

test("a process that only adds jobs tells those that handle them when one has become due", async () => {
  const database = await openTestDatabase();
  const client = database.db.$client;
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const told: unknown[] = [];
  vi.spyOn(client, "query").mockImplementation(((...args: unknown[]) => {
    const [config, values] = args as [{ text?: string }, unknown[]];
    if (config.text?.startsWith("select pg_notify(")) told.push(values[1]);
    return query(...args);
  }) as typeof client.query);
  const adding = await openJobs(database, createLog("silent"));
  onTestFinished(async () => {
    await adding.stop(0);
    vi.restoreAllMocks();
    await database.close();
  });
  const twin = { ...tenant, twinId: randomUUID() };
  // Two jobs that become due at the same moment cause one notification.
  await asTenant(database.db, tenant, async (tx) => {
    const due = new Date(Date.now() + 500);
    for (const twinId of [randomUUID(), randomUUID()]) await adding.enqueue(tx, "train-twin", { ...twin, twinId }, due);
  });
  await vi.waitFor(() => expect(told).toEqual(["train-twin"]), { timeout: 20_000 });
});
