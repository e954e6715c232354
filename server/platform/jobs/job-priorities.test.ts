import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { asTenant, type Tenant } from "#server/platform/db/database.ts";
import { createLog } from "#server/platform/log.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { JOB_RULES } from "./catalogue.ts";
import { JobPriorities } from "./job-priorities.ts";
import { type JobHandlers, type Jobs, openJobs } from "./queue.ts";

const WAIT = { timeout: 60_000, interval: 50 };

describe("the order of waiting jobs", () => {
  const now = Date.UTC(2026, 10, 24);
  const greedy = "a";
  const modest = "b";

  test("puts an organisation's first job before another's hundredth, whichever came first", () => {
    const order = new JobPriorities();
    const many = Array.from({ length: 100 }, (_, at) =>
      order.priorityOf("run-import", { organizationId: greedy, key: `${at}`, due: now }),
    );
    const one = order.priorityOf("run-import", { organizationId: modest, key: "one", due: now + 1000 });
    expect(many.filter((priority) => priority > one)).toHaveLength(1);
    expect(many).toEqual([...many].sort((x, y) => y - x));
  });

  test("lets no organisation fall behind for ever: after their turns have passed, waiting jobs come before new ones", () => {
    const order = new JobPriorities();
    const many = Array.from({ length: 1000 }, (_, at) =>
      order.priorityOf("run-import", { organizationId: greedy, key: `${at}`, due: now }),
    );
    const later = order.priorityOf("run-import", { organizationId: modest, key: "one", due: now + 2 * 3600_000 });
    expect(Math.min(...many)).toBeGreaterThan(later);
  });

  test("does not count a job again that is added again while it waits", () => {
    const order = new JobPriorities();
    const again = Array.from({ length: 50 }, () =>
      order.priorityOf("process-inbox", { organizationId: greedy, key: "same", due: now }),
    );
    const next = order.priorityOf("process-inbox", { organizationId: greedy, key: "other", due: now });
    expect(new Set(again).size).toBe(1);
    expect(again[0]! - next).toBe(1);
  });

  test("keeps the kinds of jobs apart: an import does not delay replies", () => {
    const order = new JobPriorities();
    for (let at = 0; at < 100; at++) {
      order.priorityOf("run-import", { organizationId: greedy, key: `${at}`, due: now });
    }
    const ask = (organizationId: string) =>
      order.priorityOf("process-inbox", { organizationId, key: organizationId, due: now });
    expect(ask(greedy)).toBe(ask(modest));
  });
});

describe("the workers", () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let jobs: Jobs;
  const running = new Map<string, () => void>();
  const begun: string[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    jobs = await openJobs(database, createLog("silent"));
    const handle = ({ importId, twinId }: { importId?: string; twinId?: string }) =>
      new Promise<void>((resolve) => {
        const name = importId ?? twinId!;
        begun.push(name);
        running.set(name, resolve);
      });
    const handlers = Object.fromEntries(Object.keys(JOB_RULES).map((name) => [name, handle]));
    await jobs.start(handlers as unknown as JobHandlers);
  });
  afterEach(() => {
    begun.length = 0;
  });
  afterAll(async () => {
    await jobs.stop(2000);
    await database.close();
  });

  const tenant = (): Tenant => ({ organizationId: randomUUID(), userId: randomUUID() });
  const end = (name: string) => {
    running.get(name)!();
    running.delete(name);
  };

  test("run one import of an organisation at a time, and another organisation's beside it", async () => {
    const [greedy, modest] = [tenant(), tenant()];
    const add = (whose: Tenant, importId: string) =>
      asTenant(database.db, whose, (tx) => jobs.enqueue(tx, "run-import", { ...whose, importId }));
    expect(JOB_RULES["run-import"]).toMatchObject({ parallel: 2, perOrganization: 1 });
    await add(greedy, "greedy 1");
    await vi.waitFor(() => expect(begun).toEqual(["greedy 1"]), WAIT);
    for (const at of [2, 3, 4]) await add(greedy, `greedy ${at}`);
    await add(modest, "modest");
    await vi.waitFor(() => expect(begun).toContain("modest"), WAIT);
    expect(begun).toEqual(["greedy 1", "modest"]);
    end("modest");
    end("greedy 1");
    for (const at of [2, 3, 4]) {
      await vi.waitFor(() => expect(begun).toContain(`greedy ${at}`), WAIT);
      expect([...running.keys()]).toEqual([`greedy ${at}`]);
      end(`greedy ${at}`);
    }
  });

  test("take an organisation's first job before what another has added by the dozen", async () => {
    const [greedy, modest] = [tenant(), tenant()];
    const add = (whose: Tenant, twinId: string) =>
      asTenant(database.db, whose, (tx) => jobs.enqueue(tx, "find-facts", { ...whose, twinId }));
    expect(JOB_RULES["find-facts"]).not.toHaveProperty("parallel");
    await add(greedy, "first");
    await vi.waitFor(() => expect(begun).toEqual(["first"]), WAIT);
    for (let at = 0; at < 12; at++) await add(greedy, `more ${at}`);
    await add(modest, "modest");
    end("first");
    await vi.waitFor(() => expect(begun).toHaveLength(2), WAIT);
    expect(begun[1]).toBe("modest");
    end("modest");
    for (let at = 0; at < 12; at++) {
      await vi.waitFor(() => expect(running.size).toBe(1), WAIT);
      const [name] = running.keys();
      end(name!);
    }
  });
});
