/** Customers who write while the demo user is watching: when, how many, and that they get answers like any contact. */
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Conversation } from "#contract/conversations/conversations.ts";
import { ensureDemoUser } from "#server/accounts/auth/demo-user.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { demoArrivals } from "./demo-arrivals.ts";
import { seedDemo } from "./seed-demo.ts";

const PACE = { first: 20, next: 20 };
let t: TestApp;
let demo: Tenant;
let talks: () => Promise<Conversation[]>;
beforeAll(async () => {
  t = await testApp({ demo: true });
  await seedDemo(t.services);
  await t.jobsIdle();
  demo = await ensureDemoUser(t.services.db);
  const login = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
  const { token } = (await t.anonymous.post("/api/auth/telegram", login)).json();
  const headers = { authorization: `Bearer ${token}` };
  talks = async () => (await t.anonymous.inject({ url: "/api/conversations", headers })).json();
});
afterAll(() => t.close());

const messages = async () => (await talks()).reduce((sum, { messageCount }) => sum + messageCount, 0);
const named = async (name: string) => (await talks()).find((talk) => talk.participants.name === name);

test("nothing arrives for another member, nor once the demo user has closed", async () => {
  const before = await messages();
  const watching = demoArrivals(t.services, PACE);
  const stranger = await t.signUp({ organizationId: demo.organizationId });
  watching(stranger.caller, new PassThrough());
  const closed = new PassThrough();
  watching(demo, closed);
  closed.destroy();
  await pause(300);
  await t.jobsIdle();
  expect(await messages()).toBe(before);
});

test("while he looks, customers write and are answered; the script ends, and a restart does not repeat it", async () => {
  const stream = new PassThrough();
  const lastOne = async () => (await named("Рустам"))!.messageCount;
  const before = await lastOne();
  demoArrivals(t.services, PACE)(demo, stream);
  await expect.poll(lastOne, { timeout: 60_000 }).toBeGreaterThan(before);
  await pause(300);
  await t.jobsIdle();
  const answered = await named("Дарья Лунина");
  expect(answered!.messageCount).toBeGreaterThanOrEqual(2);
  expect(await talks()).toHaveLength(12 + 4);
  const after = await messages();
  // Simulates another process, or this one after a restart.
  demoArrivals(t.services, PACE)(demo, new PassThrough());
  await pause(300);
  await t.jobsIdle();
  expect(await messages()).toBe(after);
});
