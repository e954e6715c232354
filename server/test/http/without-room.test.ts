/** A disk without room: what would be stored is refused, what is read is answered, and all goes on when there is room again. */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Health } from "#contract/health.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

const GB = 2 ** 30;
let t: TestApp;
let ann: TestClient;
let freeBytes = 20 * GB;
beforeAll(async () => {
  t = await testApp();
  t.services.disk.measure = async () => ({ totalBytes: 40 * GB, freeBytes });
  ann = await t.signUp({ superAdmin: true });
});
afterAll(() => t.close());

async function setRoom(bytes: number): Promise<void> {
  freeBytes = bytes;
  // On PostgreSQL a failed statement says so, because its disk cannot be read.
  if (t.services.database.kind === "postgres" && bytes === 0)
    t.services.writing.note(Object.assign(new Error("full"), { code: "53100" }));
  await t.services.writing.look();
}

test("without room calls that store are refused with a time to repeat them, and the server says why", async () => {
  const twinId = await buildTwin(ann);
  await t.jobsIdle();
  await setRoom(0);
  const webhook = await t.anonymous.post("/hooks/some-path", {});
  for (const answer of [
    await ann.post("/api/digital-twins", TWIN),
    await ann.put(`/api/digital-twins/${twinId}`, {}),
    webhook,
  ]) {
    expect(answer.statusCode, answer.body).toBe(503);
    expect(answer.json()).toMatchObject({ code: "cannot_write", message: expect.stringMatching(/кончилось место/) });
    expect(answer.headers["retry-after"]).toBe("30");
  }
  const unready = await t.anonymous.get("/readyz");
  expect([unready.statusCode, unready.json().checks[0]]).toEqual([503, "writing"]);
  expect((await ann.get("/api/digital-twins")).statusCode).toBe(200);
  const { facts, state } = (await ann.get("/api/admin/health")).json<Health>();
  const fact = facts.find(({ rows }) => rows.some(({ name }) => name === "Что делать"))!;
  expect([state, fact.state, fact.summary]).toEqual(["failure", "failure", expect.stringMatching(/^Писать нельзя/)]);
  expect((await ann.delete(`/api/digital-twins/${twinId}`)).statusCode).toBe(204);

  // A job waits without using up an attempt.
  const { organizationId, userId } = ann.caller;
  const job = { organizationId, userId, integrationId: randomUUID(), conversationKey: "any" };
  await asTenant(t.services.db, ann.caller, (tx) => t.services.jobs.enqueue(tx, "process-inbox", job));
  const states = async () =>
    (await t.services.db.execute(sql`select state, retry_count from jobs.job where name = 'process-inbox'`)).rows;
  await expect.poll(states, { timeout: 60_000 }).toEqual([{ state: "active", retry_count: 0 }]);
  await setRoom(20 * GB);
  await expect.poll(states, { timeout: 60_000 }).toEqual([{ state: "completed", retry_count: 0 }]);
  expect((await ann.post("/api/digital-twins", TWIN)).statusCode).toBe(201);
  expect((await t.anonymous.get("/readyz")).json()).toEqual({ status: "ok" });
});

test("what fails for want of room before anybody has noticed is the same refusal, and closes the door behind it", async () => {
  const { db } = t.services;
  await db.execute(sql`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await db.execute(sql`create trigger no_room before insert on twins for each row execute function no_room()`);
  const answer = await ann.post("/api/digital-twins", TWIN);
  expect([answer.statusCode, answer.json().code]).toEqual([503, "cannot_write"]);
  expect(t.services.writing.obstacle).not.toBeNull();
  await db.execute(sql`drop trigger no_room on twins`);
  // The next look finds room.
  await expect
    .poll(
      async () => {
        await t.services.writing.look();
        return t.services.writing.obstacle;
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBeNull();
});
