import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ERROR_CODES } from "#contract/error-codes.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { ANSWER_MS } from "./in-time.ts";

const GB = 2 ** 30;

let t: TestApp;
beforeEach(async () => {
  t = await testApp();
});
afterEach(() => t.close());

const ready = () => t.anonymous.get("/readyz");

/** On a busy machine the database may briefly take longer than a check waits. */
const SOON = { timeout: 45_000, interval: 200 };

const expectReady = (why?: string) =>
  expect.poll(async () => (await ready()).statusCode, { ...SOON, ...(why && { message: why }) }).toBe(200);

/** Expects that the server refuses for this reason and reveals only its name. */
async function expectUnready(code: string, checks: string[]): Promise<void> {
  await expect.poll(async () => (await ready()).json().checks, SOON).toEqual(checks);
  let answer = await ready();
  // Asks again if the database was late.
  for (let left = 20; left > 0 && answer.json().code !== code; left--) answer = await ready();
  expect(answer.statusCode, answer.body).toBe(503);
  expect(answer.json()).toEqual({
    code,
    message: expect.stringMatching(/[а-я]/),
    requestId: expect.any(String),
    checks,
  });
  expect(ERROR_CODES).toContain(code);
  expect(answer.headers["retry-after"]).toBe("5");
  // A supervisor that restarts dead processes must not restart this one.
  expect((await t.anonymous.get("/healthz")).statusCode).toBe(200);
}

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
  const [first, again, health] = await Promise.all(
    ["/readyz", "/readyz", "/healthz"].map((path) => t.anonymous.get(path)),
  );
  const took = Date.now() - began;
  letGo();
  await Promise.all(holders);
  // The response comes long before a caller stops waiting for a connection.
  expect(took).toBeLessThan(ANSWER_MS + 4000);
  for (const answer of [first!, again!]) {
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      code: "database_away",
      message: "База данных не ответила за 2 секунды.",
      checks: ["database"],
    });
    expect(answer.headers["retry-after"]).toBe("5");
  }
  expect(health!.statusCode).toBe(200);
  await expectReady();
});

test("a disk with less than a twentieth free makes the server unready until there is room again", async () => {
  const { disk } = t.services;
  const measure = disk.measure;
  disk.measure = async () => ({ totalBytes: 1000 * GB, freeBytes: 49 * GB });
  await expectUnready("disk_full", ["disk"]);
  disk.measure = async () => ({ totalBytes: 1000 * GB, freeBytes: 50 * GB });
  await expectReady();
  disk.measure = async () => {
    throw new Error("the disk does not answer");
  };
  await expectUnready("disk_full", ["disk"]);
  disk.measure = measure;
  await expectReady();
});

test("a job that waits too long while nothing of its kind runs or ends makes the server unready", async () => {
  const { db, jobs } = t.services;
  // No process runs jobs from here on.
  await jobs.stop(2000);
  const tenant = { organizationId: randomUUID(), userId: randomUUID() };
  const late = sql`now() - interval '16 minutes'`;
  const enqueue = (importId: string) => db.transaction((tx) => jobs.enqueue(tx, "run-import", { ...tenant, importId }));
  await enqueue("waits");
  await expectReady();
  await db.execute(sql`update jobs.job set created_on = ${late}, start_after = ${late} where singleton_key = 'waits'`);
  await expectUnready("jobs_stuck", ["jobs"]);

  // A running job of another kind does not help those that wait.
  await db.transaction((tx) => jobs.enqueue(tx, "make-export", { ...tenant, exportId: "other" }));
  await db.execute(sql`update jobs.job set state = 'completed', completed_on = now() where singleton_key = 'other'`);
  await expectUnready("jobs_stuck", ["jobs"]);

  await enqueue("long");
  const setLong = (set: ReturnType<typeof sql>) =>
    db.execute(sql`update jobs.job set ${set} where singleton_key = 'long'`);
  await setLong(sql`state = 'active', started_on = ${late}, heartbeat_on = now()`);
  await expectReady("an import may run for hours");
  await setLong(sql`heartbeat_on = ${late}`);
  await expectUnready("jobs_stuck", ["jobs"]);
  await setLong(sql`state = 'completed', completed_on = now()`);
  await expectReady("one of its kind has ended");
  await setLong(sql`completed_on = ${late}`);
  await expectUnready("jobs_stuck", ["jobs"]);

  // Later jobs are not overdue.
  await db.execute(sql`update jobs.job set start_after = now() + interval '1 hour' where singleton_key = 'waits'`);
  await expectReady();
});

test("unreachable files are reported, and the server stays ready for everything that needs none", async () => {
  const { files } = t.services;
  files.check = async () => {
    throw new Error("the storage does not answer");
  };
  await expect.poll(async () => (await ready()).json(), SOON).toEqual({ status: "ok", degraded: ["storage"] });
  expect((await ready()).statusCode).toBe(200);
});

test("several reasons are reported together, the gravest first", async () => {
  const { disk, db, jobs } = t.services;
  await jobs.stop(2000);
  const tenant = { organizationId: randomUUID(), userId: randomUUID() };
  await db.transaction((tx) => jobs.enqueue(tx, "run-import", { ...tenant, importId: "waits" }));
  const late = sql`now() - interval '1 day'`;
  await db.execute(sql`update jobs.job set created_on = ${late}, start_after = ${late}`);
  disk.measure = async () => ({ totalBytes: 1000 * GB, freeBytes: 2 * GB });
  await expectUnready("disk_full", ["disk", "jobs"]);
});

test("from the signal to stop on the server is not ready, although it still answers what it has begun", async () => {
  t.services.readiness.stop();
  await expectUnready("stopping", ["stopping"]);
});

test("a balancer that asks only for the process learns of its end, but of no state that all servers share", async () => {
  const alone = () => t.anonymous.get("/readyz?of=process");
  t.services.disk.measure = async () => ({ totalBytes: 1000 * GB, freeBytes: 2 * GB });
  await expectUnready("disk_full", ["disk"]);
  expect((await alone()).statusCode).toBe(200);
  t.services.readiness.stop();
  const answer = await alone();
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: "stopping", checks: ["stopping"] });
});
