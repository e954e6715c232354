/** PostgreSQL drops connections under load: calls succeed or say 503, nothing hangs, the process lives on. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { isDatabaseAway } from "./database.ts";

const TWIN = {
  name: "Анна",
  description: "Отвечает покупателям магазина",
  personality: "Внимательная, спокойная, шутит редко",
  communicationStyle: "Коротко и по делу",
  knowledgeArea: "Доставка и возврат",
};

const snapshot = inject("databaseSnapshot");

describe.skipIf("path" in snapshot)("a PostgreSQL that drops its connections", () => {
  let t: TestApp;
  let ann: TestClient;
  let twinId: string;
  let killer: pg.Client;
  let database: string;
  beforeAll(async () => {
    t = await testApp();
    ann = await t.signUp();
    twinId = (await ann.post("/api/digital-twins", TWIN)).json().id;
    database = (await t.services.db.execute(sql`select current_database() as name`)).rows[0]!.name as string;
    killer = new pg.Client({ connectionString: (snapshot as { url: string }).url });
    await killer.connect();
  });
  afterAll(async () => {
    await killer.end();
    await t.close();
  });

  const dropAll = () =>
    killer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [database],
    );

  /** Calls of every kind, over and over until `over`. */
  async function load(over: () => boolean, acknowledged: string[]): Promise<Map<number, number>> {
    const statuses = new Map<number, number>();
    const kinds = [
      () => ann.get("/api/digital-twins"),
      () => ann.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent("доставка")}`),
      () => ann.post("/api/ai-generate", { twinId, message: "Сколько стоит доставка?" }),
      async () => {
        const name = randomUUID();
        const answer = await ann.post("/api/digital-twins", { ...TWIN, name });
        if (answer.statusCode === 201) acknowledged.push(name);
        return answer;
      },
      () =>
        ann.inject({
          method: "POST",
          url: "/api/knowledge/upload",
          headers: { "idempotency-key": randomUUID() },
          payload: { digitalTwinId: twinId, name: "Д", type: "faq", content: `Доставка ${randomUUID()} `.repeat(3) },
        }),
      () => t.anonymous.post("/api/auth/email/login", { email: `${randomUUID()}@example.test`, password: "x" }),
      () => ann.get("/readyz"),
    ];
    const worker = async (kind: () => ReturnType<TestClient["get"]>) => {
      while (!over()) {
        const answer = await Promise.race([kind(), wait(15_000, null, { ref: false })]);
        if (answer === null) throw new Error("A call hangs");
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
        if (answer.statusCode === 503) {
          expect(answer.json()).toMatchObject({ code: "database_away", message: expect.stringMatching(/[а-я]/) });
          expect(answer.headers["retry-after"]).toBe("5");
        } else if (answer.statusCode >= 400 && answer.statusCode !== 401) {
          throw new Error(`${answer.statusCode} ${answer.body}`);
        }
      }
    };
    await Promise.all(kinds.map(worker));
    return statuses;
  }

  test("calls get 503 or succeed, what was acknowledged is there, and afterwards all is as before", async () => {
    const acknowledged: string[] = [];
    const until = Date.now() + 4000;
    const calls = load(() => Date.now() > until, acknowledged);
    let rounds = 0;
    while (Date.now() < until) {
      await dropAll();
      rounds++;
      await wait(rounds % 3 === 0 ? 300 : 15);
    }
    const statuses = await calls;
    expect(rounds).toBeGreaterThan(20);
    expect(statuses.get(200)).toBeGreaterThan(0);
    expect(statuses.get(503)).toBeGreaterThan(0);
    for (const status of statuses.keys()) expect([200, 201, 401, 503]).toContain(status);

    // A call right after the last drop may still meet a dead connection; not for long.
    const back = Date.now() + 10_000;
    while ((await ann.get("/readyz")).statusCode !== 200 && Date.now() < back) await wait(50);
    const after = await load(() => Date.now() > back - 8000, []);
    expect([...after.keys()].filter((status) => status >= 500)).toEqual([]);
    const names = ((await ann.get("/api/digital-twins")).json() as { name: string }[]).map(({ name }) => name);
    for (const name of acknowledged) expect(names).toContain(name);
  });

  test("a connection that breaks between two statements of a transaction fails that transaction and nothing else", async () => {
    const { db } = t.services;
    const failed = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await dropAll();
      await wait(200);
      await tx.execute(sql`select 1`);
    });
    const error = await failed.catch((caught: unknown) => caught);
    expect(isDatabaseAway(error)).toBe(true);
    expect((await ann.get("/api/digital-twins")).statusCode).toBe(200);
  });

  test("a training whose connections were dropped ends all the same", async () => {
    await t.jobsIdle(30_000);
    const uploaded = await ann.post("/api/knowledge/upload", {
      digitalTwinId: twinId,
      name: "Ещё",
      type: "faq",
      content: `Возврат ${randomUUID()} занимает десять дней. `.repeat(100),
    });
    expect(uploaded.statusCode).toBe(201);
    for (let round = 0; round < 10; round++) {
      await dropAll();
      await wait(50);
    }
    await t.jobsIdle(30_000);
    expect((await ann.get(`/api/digital-twins/${twinId}/training`)).json()).toMatchObject({
      status: "ready",
      running: false,
    });
  }, 60_000);
});
