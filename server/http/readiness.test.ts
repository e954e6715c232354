import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { READY_MS } from "./readiness.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test("while all connections are taken, /readyz reports in time that the database does not answer, and /healthz succeeds", async () => {
  const { db } = t.services;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let holding = 0;
  const hold = () => {
    holding++;
    return held;
  };
  const holders = Array.from({ length: db.$client.options.max }, () => db.transaction(hold));
  await expect.poll(() => holding, { timeout: 30_000 }).toBe(holders.length);
  const began = Date.now();
  const [ready, again, health] = await Promise.all(
    ["/readyz", "/readyz", "/healthz"].map((path) => t.anonymous.get(path)),
  );
  const took = Date.now() - began;
  letGo();
  await Promise.all(holders);
  // Long before anybody gives up waiting for a connection.
  expect(took).toBeLessThan(READY_MS + 4000);
  for (const answer of [ready!, again!]) {
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ code: "database_away", message: "База данных не ответила за 2 секунды." });
    expect(answer.headers["retry-after"]).toBe("5");
  }
  expect(health!.statusCode).toBe(200);
  expect((await t.anonymous.get("/readyz")).statusCode).toBe(200);
});
