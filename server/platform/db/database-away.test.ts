/** When PostgreSQL drops connections under load, calls succeed or return 503, nothing hangs, and no connection leaks. */
import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg, { type PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { openTestDatabase } from "#server/test/database.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { isDatabaseAway, type OpenDatabase } from "./database.ts";

/** Longer than a call may wait for a connection. */
const HANGS_MS = 20_000;

const snapshot = inject("databaseSnapshot");

describe.skipIf("path" in snapshot)("a PostgreSQL that drops its connections", () => {
  let t: TestApp;
  let ann: TestClient;
  let twinId: string;
  let killer: pg.Client;
  beforeAll(async () => {
    t = await testApp();
    ann = await t.signUp();
    twinId = await buildTwin(ann);
    const url = new URL((snapshot as { url: string }).url);
    const { rows } = await t.services.db.execute(sql`select current_database() as name`);
    url.pathname = `/${rows[0]!.name}`;
    killer = new pg.Client({ connectionString: url.href });
    await killer.connect();
  });
  afterAll(async () => {
    await killer.end();
    await t.close();
  });

  const dropAll = () =>
    killer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );

  const addDocument = (content: string) =>
    ann.inject({
      method: "POST",
      url: "/api/knowledge/upload",
      headers: { "idempotency-key": randomUUID() },
      payload: { digitalTwinId: twinId, name: "Д", type: "faq", content },
    });

  const acknowledged: string[] = [];
  const calls = [
    () => ann.get("/api/digital-twins"),
    () => ann.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent("доставка")}`),
    () => ann.post("/api/ai-generate", { twinId, message: "Сколько стоит доставка?" }),
    async () => {
      const name = randomUUID();
      const answer = await ann.post("/api/digital-twins", { ...TWIN, name });
      if (answer.statusCode === 201) acknowledged.push(name);
      return answer;
    },
    () => addDocument(`Доставка ${randomUUID()} `.repeat(3)),
    () => t.anonymous.post("/api/auth/email/login", { email: `${randomUUID()}@example.test`, password: "x" }),
    () => ann.get("/readyz"),
  ];

  async function statusOf(call: (typeof calls)[number]): Promise<number> {
    const answer = await Promise.race([call(), wait(HANGS_MS, null, { ref: false })]);
    if (answer === null) throw new Error("A call hangs");
    if (answer.statusCode === 503) {
      expect(answer.json()).toMatchObject({ code: "database_away", message: expect.stringMatching(/[а-я]/) });
      expect(answer.headers["retry-after"]).toBe("5");
    } else if (![200, 201, 401].includes(answer.statusCode)) {
      throw new Error(`${answer.statusCode} ${answer.body}`);
    }
    return answer.statusCode;
  }

  /** Retries, because a call right after a drop may still get a dead connection. */
  const allIsWell = () =>
    vi.waitFor(
      async () => expect(await Promise.all(calls.map(statusOf))).toEqual([200, 200, 200, 201, 201, 401, 200]),
      {
        timeout: 10_000,
      },
    );

  /** Waits until all connections are free at the same moment; the job queue uses one now and then. */
  const nothingIsTaken = () =>
    vi.waitFor(
      () => {
        const { totalCount, idleCount, waitingCount } = t.services.db.$client;
        expect({ taken: totalCount - idleCount, waitingCount }).toEqual({ taken: 0, waitingCount: 0 });
      },
      { timeout: 10_000, interval: 5 },
    );

  test("a training whose connections were dropped finishes all the same", async () => {
    const found = async (query: string): Promise<boolean> => (await killer.query(query)).rowCount! > 0;
    // The lock stops the training in the middle of its work; an upload only reads the table, which the lock allows.
    await killer.query("begin; lock table index_segments in share mode");
    expect((await addDocument(`Возврат ${randomUUID()} занимает десять дней. `.repeat(100))).statusCode).toBe(201);
    // Other work may wait for another lock: only this one says that the training has got there.
    while (!(await found("select from pg_locks where not granted and relation = 'index_segments'::regclass")))
      await wait(5);
    await dropAll();
    await killer.query("rollback");
    await vi.waitFor(() => t.jobsIdle(30_000), { timeout: 30_000 });
    expect((await ann.get(`/api/digital-twins/${twinId}/training`)).json()).toMatchObject({
      status: "ready",
      running: false,
    });
    expect(await found("select from jobs.job where retry_count > 0")).toBe(true);
  });

  test("a connection that breaks between two statements of a transaction fails that transaction and nothing else", async () => {
    const failed = t.services.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await dropAll();
      await tx.execute(sql`select 1`);
    });
    expect(isDatabaseAway(await failed.catch((error: unknown) => error))).toBe(true);
    await allIsWell();
    await nothingIsTaken();
  });

  test("calls return 503 or succeed, acknowledged changes survive, and afterwards everything works as before", async () => {
    const statuses = new Set<number>();
    let over = false;
    const work = Promise.all(
      calls.map(async (call) => {
        while (!over) statuses.add(await statusOf(call));
      }),
    );
    work.catch(() => {
      over = true;
    });
    for (let round = 1; !over && (round <= 40 || !statuses.has(200) || !statuses.has(503)); round++) {
      await dropAll();
      await wait(round % 4 === 0 ? 150 : 15);
    }
    over = true;
    await work;
    await allIsWell();
    const names = ((await ann.get("/api/digital-twins")).json() as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    await nothingIsTaken();
  });
});

describe.skipIf("path" in snapshot)("the connections of a pool", () => {
  let opened: OpenDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase({ answerMs: 1000 });
  });
  afterAll(() => opened.close());

  const taken = () => opened.db.$client.totalCount - opened.db.$client.idleCount;

  test("a connection that breaks at the start of a transaction is released", async () => {
    const { db } = opened;
    const hangUp = (client: PoolClient) =>
      (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
    // More rounds than the pool has connections, so that a leak would show.
    for (let round = 0; round < 10; round++) {
      db.$client.once("acquire", hangUp);
      const error = await db.transaction(async () => {}).catch((caught: unknown) => caught);
      expect(isDatabaseAway(error)).toBe(true);
    }
    expect(taken()).toBe(0);
    expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  });

  test("a connection whose server falls silent is given up, with or without a transaction", async () => {
    const { db } = opened;
    const asked = Date.now();
    const errors = await Promise.all(
      [db.transaction((tx) => tx.execute(sql`select pg_sleep(30)`)), db.execute(sql`select pg_sleep(30)`)].map(
        (silent) => silent.catch((error: unknown) => error),
      ),
    );
    expect(errors.map(isDatabaseAway)).toEqual([true, true]);
    expect(Date.now() - asked).toBeLessThan(10_000);
    expect(taken()).toBe(0);
  });
});
