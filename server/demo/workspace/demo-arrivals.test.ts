/**
 * The demo after its start: what its trainings have measured, and the customers who write while the demo user is watching: when, how many,
 * and that they get answers like any contact.
 */
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Conversation } from "#contract/conversations/conversations.ts";
import type { TwinQuality } from "#contract/quality.ts";
import type { Twin } from "#contract/twins.ts";
import { ensureDemoUser } from "#server/accounts/auth/demo-user.ts";
import { loadRecordedAnswers, RECORDED_MODEL } from "#server/demo/content/recorded-answers.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { demoArrivals } from "./demo-arrivals.ts";
import { seedDemo } from "./seed-demo.ts";

const PACE = { first: 20, next: 20 };
let t: TestApp;
let demo: Tenant;
let talks: () => Promise<Conversation[]>;
let headers: { authorization: string };
beforeAll(async () => {
  t = await testApp({ demo: true });
  await seedDemo(t.services);
  await t.jobsIdle();
  demo = await ensureDemoUser(t.services.db);
  const login = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
  const { token } = (await t.anonymous.post("/api/auth/telegram", login)).json();
  headers = { authorization: `Bearer ${token}` };
  talks = async () => (await t.anonymous.inject({ url: "/api/conversations", headers })).json();
});
afterAll(() => t.close());

const messages = async () => (await talks()).reduce((sum, { messageCount }) => sum + messageCount, 0);
const named = async (name: string) => (await talks()).find((talk) => talk.participants.name === name);

test("the private person's likeness is measured at the first start with answers of a capable model, and later with what the demo answers", async () => {
  const read = async (url: string) => (await t.anonymous.inject({ url, headers })).json();
  const listed: Twin[] = await read("/api/digital-twins");
  const { id, styleAccuracy } = listed.find(({ name }) => name === "Лёша Синицын")!;
  const quality: TwinQuality = await read(`/api/digital-twins/${id}/quality`);
  expect(quality.measure).toMatchObject({ model: RECORDED_MODEL, lacking: null });
  expect(quality.strangers).toMatchObject({ model: RECORDED_MODEL, lacking: null });
  expect(styleAccuracy).toBe(quality.measure!.figures!.value);
  expect(quality.measure!.figures!.value).toBeGreaterThan(quality.measure!.figures!.floor);
  // Each message that is asked has an answer of its own: the conversations are those for which the answers were written.
  const said = (await loadRecordedAnswers())
    .filter(({ audience }) => audience === "contacts")
    .map(({ completion }) => (JSON.parse(completion) as { messages: string[] }).messages.join("\n"));
  for (const { twinReply } of quality.worst) expect(said).toContain(twinReply);
  expect(quality.measure!.held + (quality.measure!.handedOver ?? 0)).toBe(said.length);

  await t.anonymous.inject({ method: "POST", url: `/api/digital-twins/${id}/quality/measure`, headers });
  await t.jobsIdle();
  const again: TwinQuality = await read(`/api/digital-twins/${id}/quality`);
  expect(again.measure).toMatchObject({ model: null, lacking: null });
});

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
