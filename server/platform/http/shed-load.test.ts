import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runForCaller } from "#server/platform/db/caller-priority.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { LoadShedder } from "#server/platform/process/load-shedder.ts";
import { shedRequests } from "#server/platform/process/metrics.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

/** The event loop's delay as the server measures it, ms. */
let delay = 0;
let t: TestApp;
let client: TestClient;
beforeAll(async () => {
  t = await testApp({}, undefined, { shedder: () => new LoadShedder(() => delay) });
  client = await t.signUp();
});
afterAll(() => t.close());
beforeEach(() => {
  delay = 0;
});

const statusOf = async (path: string) => (await client.get(path)).statusCode;
const search = `/api/digital-twins/${randomUUID()}/knowledge/search?q=слово`;
const expensive: [string, () => ReturnType<TestClient["get"]>][] = [
  ["a test chat", () => client.post("/api/ai-generate", { twinId: randomUUID(), message: "Привет" })],
  ["a list that is searched", () => client.get("/api/conversations?search=слово")],
  ["an upload of an export", () => client.post("/api/imports/uploads", { name: "a.json", size: 10 })],
];

test("while the event loop is late, expensive calls are refused with a time to come back, and the rest is answered", async () => {
  for (const [what, call] of expensive) expect((await call()).statusCode, what).not.toBe(503);
  delay = 1000;
  for (const [what, call] of expensive) {
    const answer = await call();
    expect(answer.statusCode, what).toBe(503);
    expect(answer.json()).toMatchObject({ code: "overloaded", message: expect.stringMatching(/Сервер сейчас занят/) });
    const wait = Number(answer.headers["retry-after"]);
    expect(wait).toBeGreaterThanOrEqual(3);
    expect(wait).toBeLessThanOrEqual(8);
  }
  expect(await statusOf("/api/digital-twins")).toBe(200);
  expect(await statusOf("/healthz")).toBe(200);
});

test("a refused call has done nothing: no user was looked up and nothing stored", async () => {
  delay = 3000;
  const unknown = { authorization: "Bearer nobody" };
  const answer = await t.anonymous.inject({ method: "GET", url: "/api/digital-twins", headers: unknown });
  expect(answer.statusCode, "not 401, because the session was not looked up").toBe(503);
});

test("a server that is later still answers health and sign-in alone; platforms are told to deliver again", async () => {
  delay = 3000;
  for (const path of ["/api/digital-twins", search, "/v1/models", "/api/dashboard/stats"]) {
    expect(await statusOf(path), path).toBe(503);
  }
  const hook = await t.anonymous.post(`/hooks/telegram/${randomUUID()}`, { update_id: 1 });
  expect(hook.statusCode).toBe(503);
  expect(hook.headers["retry-after"]).toBeDefined();
  for (const path of ["/healthz", "/readyz", "/api/config", "/api/auth/verify"])
    expect(await statusOf(path), path).toBe(200);
  const wrong = { email: "nobody@example.test", password: "неверный пароль" };
  expect((await t.anonymous.post("/api/auth/email/login", wrong)).statusCode, "signing in stays").toBe(401);
  expect(await statusOf("/api/admin/health"), "refused for the role, not for the load").toBe(403);
});

test("a level ends only well below where it began, so that refusing does not flicker", async () => {
  const shedder = new LoadShedder(() => delay);
  const levels = [0, 999, 1000, 999, 600, 499, 999, 3000, 2000, 1500, 1499, 600, 499, 5000, 0].map((ms) => {
    delay = ms;
    return shedder.look().level;
  });
  expect(levels).toEqual([0, 0, 1, 1, 1, 0, 0, 2, 2, 2, 1, 1, 0, 2, 0]);
});

describe("while requests wait for a connection to the database", () => {
  let held: TestApp;
  let someone: TestClient;
  beforeAll(async () => {
    held = await testApp({}, undefined, {
      shedder: (db) => new LoadShedder(() => 0, { connections: () => db.$requests.longestWaitMs }),
    });
    someone = await held.signUp();
  });
  afterAll(() => held.close());

  test("expensive calls are refused once the first has waited for five seconds, the others wait, and then all is answered", async () => {
    const { db } = held.services;
    const { promise: over, resolve: letGo } = Promise.withResolvers<void>();
    let holding = 0;
    const holders = Array.from({ length: db.$requests.options.max }, () =>
      asTenant(db, someone.caller, () => {
        holding++;
        return over;
      }),
    );
    await expect.poll(() => holding, { timeout: 30_000 }).toBe(holders.length);
    const before = await shed("connections");
    // A user's statement, which the embedded pool puts before jobs.
    const waiting = new Promise((resolve) =>
      runForCaller("somebody", () => resolve(asTenant(db, someone.caller, read))),
    );
    await expect.poll(() => db.$requests.longestWaitMs, { timeout: 30_000 }).toBeGreaterThan(5000);
    const refused = await someone.post("/api/ai-generate", { twinId: randomUUID(), message: "Привет" });
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: "overloaded" });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(3);
    expect(await shed("connections")).toBe(before + 1);
    const other = someone.get("/api/digital-twins");
    letGo();
    await Promise.all([...holders, waiting]);
    expect((await other).statusCode, "it has waited for its connection").toBe(200);
    expect((await someone.post("/api/ai-generate", { twinId: randomUUID(), message: "Привет" })).statusCode).toBe(404);
  });
});

const read = (tx: Tx) => tx.execute(sql`select 1`);

async function shed(reason: string): Promise<number> {
  const { values } = await shedRequests.get();
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
}

test("a long queue for turns refuses expensive calls alone, until it is half as long", () => {
  let turns = 0;
  const shedder = new LoadShedder(() => 0, { turns: () => turns });
  const levels = [0, 120, 159, 160, 120, 80, 79, 120].map((length) => {
    turns = length;
    return shedder.look();
  });
  const [calm, long] = [
    { level: 0, reason: "loop" },
    { level: 1, reason: "turns" },
  ];
  expect(levels).toEqual([calm, calm, calm, long, long, long, calm, calm]);
});
