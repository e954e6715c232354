/** Runs only on PostgreSQL, the only engine that several processes share. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { createLog } from "#server/platform/log.ts";
import { BackgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { shareForegroundActivity } from "./foreground-activity.ts";

const WAIT = { timeout: 20_000, interval: 20 };

let database: OpenDatabase;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await database.close();
});

/** Opens one process of the installation, with its own throttle. */
async function openProcess(): Promise<BackgroundThrottle> {
  const way = new BackgroundThrottle();
  stops.push(await shareForegroundActivity(database, createLog("silent"), way));
  return way;
}

test("a worker learns that a user waits for an expensive answer of the web process, and ignores cheap calls", async ({
  skip,
}) => {
  if (database.kind === "embedded") skip("one process has the embedded database");
  const [web, worker] = [await openProcess(), await openProcess()];
  const heard = () => {
    // The worker may not listen yet, so the notification is repeated.
    web.begin({ expensive: true })();
    return worker.isForegroundActive;
  };
  web.begin({ expensive: false })();
  expect(web.isForegroundActive || worker.isForegroundActive).toBe(false);
  await expect.poll(heard, WAIT).toBe(true);
});

test("however many requests arrive, the other processes are notified once a second", async ({ skip }) => {
  if (database.kind === "embedded") skip("one process has the embedded database");
  const web = await openProcess();
  const told: unknown[] = [];
  const client = await database.db.$client.connect();
  client.on("notification", (one) => told.push(one));
  await client.query("listen people_about");
  for (let requests = 0; requests < 50; requests++) web.begin({ expensive: true })();
  await expect.poll(() => told.length, WAIT).toBe(1);
  await client.query("unlisten people_about");
  client.release();
});

test("the embedded database sends no notification, because no other process exists", async ({ skip }) => {
  if (database.kind !== "embedded") skip("several processes may share PostgreSQL");
  const way = await openProcess();
  way.begin({ expensive: true })();
  expect(way.isForegroundActive).toBe(true);
});
