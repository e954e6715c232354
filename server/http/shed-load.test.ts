import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LoadShedder } from "#server/process/load-shedder.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

/** The event loop's delay as the server measures it, ms. */
let delay = 0;
let t: TestApp;
let client: TestClient;
beforeAll(async () => {
  t = await testApp({}, undefined, { shedder: new LoadShedder(() => delay) });
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

test("a refused call has done nothing: nobody was looked up and nothing stored", async () => {
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
    return shedder.level;
  });
  expect(levels).toEqual([0, 0, 1, 1, 1, 0, 0, 2, 2, 2, 1, 1, 0, 2, 0]);
});
