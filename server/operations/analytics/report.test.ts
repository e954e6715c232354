import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Analytics } from "#contract/report.ts";
import { countAnswer, usageDay } from "#server/accounts/twins/usage.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { dailyUsage } from "#server/platform/db/schema/twins.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const daysAgo = (days: number) => usageDay(new Date(Date.now() - days * 24 * 60 * 60 * 1000));

const report = async (client: TestClient, query = ""): Promise<Analytics> => {
  const answer = await client.get(`/api/analytics${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

/** Creates a day of answers: their number, mean confidence and time. */
async function used(client: TestClient, twinId: string, ago: number, messages: number, share: number, ms: number) {
  await asTenant(t.services.db, client.caller, (tx) =>
    tx.insert(dailyUsage).values({
      orgId: client.caller.organizationId,
      twinId,
      day: daysAgo(ago),
      messages,
      measured: messages,
      confidenceSum: messages * share,
      durationSum: messages * ms,
    }),
  );
}

test("an answer counts with its confidence and its time, a rating with its mean", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann, { name: "Анна" });
  const first = (await ann.post("/api/ai-generate", { twinId, message: "Привет!" })).json();
  const second = (await ann.post("/api/ai-generate", { twinId, message: "Сколько стоит доставка?" })).json();
  await ann.post(`/api/conversations/messages/${first.messageId}/feedback`, { rating: 5 });
  await ann.post(`/api/conversations/messages/${second.messageId}/feedback`, { rating: 2 });
  // A member who only rewords an answer has not rated it.
  const third = (await ann.post("/api/ai-generate", { twinId, message: "Есть ли самовывоз?" })).json();
  const corrected = await ann.post(`/api/conversations/messages/${third.messageId}/feedback`, { correction: "Есть." });
  expect(corrected.json()).toEqual({ rating: null, comment: null, correction: "Есть." });
  const said = await report(ann);
  const accuracy = Math.round(((first.confidence + second.confidence + third.confidence) / 3) * 1000) / 10;
  expect(said).toMatchObject({
    days: 7,
    totalInteractions: 3,
    responseAccuracy: accuracy,
    userSatisfaction: 3.5,
    ratings: 2,
  });
  expect(said.topPerformingTwins).toEqual([{ id: twinId, name: "Анна", interactions: 3, accuracy }]);
  expect(said.avgResponseTime).toBeGreaterThanOrEqual(0);
  expect(said.avgResponseTime).toBeLessThan(5);
  expect(said.dailyStats.at(-1)).toEqual({ date: daysAgo(0), interactions: 3, accuracy });
});

test("every answer counts, and how good they were is measured on test chats only until a customer has been answered", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const idle = await buildTwin(ann, { name: "Только тестовый чат" });
  for (const id of [twinId, twinId, idle]) await ann.post("/api/ai-generate", { twinId: id, message: "Привет!" });
  expect(await report(ann)).toMatchObject({ ofTests: true, totalInteractions: 3, tests: 3 });
  await asTenant(t.services.db, ann.caller, (tx) =>
    countAnswer(tx, ann.caller, twinId, {
      question: "Где заказ?",
      conversationId: null,
      confidence: 0.5,
      durationMs: 4000,
    }),
  );
  const said = await report(ann);
  expect(said).toMatchObject({ ofTests: false, totalInteractions: 4, tests: 3 });
  expect(said).toMatchObject({ responseAccuracy: 50, avgResponseTime: 4 });
  expect(said.dailyStats.at(-1)).toEqual({ date: daysAgo(0), interactions: 4, accuracy: 50 });
  expect(said.topPerformingTwins).toMatchObject([
    { id: twinId, interactions: 3, accuracy: 50 },
    { id: idle, interactions: 1, accuracy: null },
  ]);
});

test("unmeasured values are null, and days without answers appear with zero", async () => {
  const said = await report(await t.signUp());
  expect(said).toMatchObject({
    totalInteractions: 0,
    responseAccuracy: null,
    userSatisfaction: null,
    ratings: 0,
    avgResponseTime: null,
    topPerformingTwins: [],
  });
  expect(said.dailyStats.map(({ date }) => date)).toEqual([6, 5, 4, 3, 2, 1, 0].map(daysAgo));
  expect(said.dailyStats.every(({ interactions, accuracy }) => interactions === 0 && accuracy === null)).toBe(true);
});

test("as many days before the period stand beside it for comparison, ratings too", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  await used(ann, twinId, 0, 4, 0.9, 1000);
  await used(ann, twinId, 7, 10, 0.5, 3000);
  await used(ann, twinId, 13, 10, 0.7, 1000);
  await used(ann, twinId, 14, 100, 0.1, 9000);
  const { messageId } = (await ann.post("/api/ai-generate", { twinId, message: "Привет!" })).json();
  await ann.post(`/api/conversations/messages/${messageId}/feedback`, { rating: 2 });
  await asTenant(t.services.db, ann.caller, (tx) =>
    tx.update(replyFeedback).set({ createdAt: sql`now() - interval '8 days'` }),
  );
  const said = await report(ann);
  expect(said).toMatchObject({ totalInteractions: 5, tests: 1, userSatisfaction: null, ratings: 0 });
  expect(said.previous).toEqual({
    totalInteractions: 20,
    responseAccuracy: 60,
    userSatisfaction: 2,
    ratings: 1,
    avgResponseTime: 2,
  });
  expect(said.dailyStats).toHaveLength(7);
});

test("a drop in confidence is reported with its cause: the twin, and for its owner the questions left unanswered", async () => {
  const owner = await t.signUp();
  const { organizationId } = owner.caller;
  const colleague = await t.signUp({ role: "user", organizationId });
  const { twinId: leftId, talkId } = await makeThings(t, owner);
  const sureId = await buildTwin(owner, { name: "Пётр" });
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.delete(dailyUsage).where(eq(dailyUsage.orgId, organizationId)),
  );
  const drop = async (client: TestClient, query = "") => (await report(client, query)).drop;
  expect(await drop(owner)).toBeNull();
  await used(owner, leftId, 9, 10, 0.8, 100);
  await used(owner, leftId, 0, 6, 0.1, 100);
  await used(owner, sureId, 0, 2, 0.9, 100);
  const told = await drop(owner);
  expect(told).toMatchObject({
    ...{ date: daysAgo(0), accuracy: 30, usual: 80, answers: 8 },
    twin: { id: leftId, answers: 6, accuracy: 10 },
    unanswered: { questions: 2, ofPlatform: 2, twinId: leftId, talks: [{ id: talkId }] },
  });
  expect(await drop(owner, "?days=30")).toEqual(told);
  expect(await drop(owner, `?twinId=${leftId}`)).toMatchObject({ accuracy: 10, unanswered: { questions: 2 } });
  expect(await drop(owner, `?twinId=${sureId}`)).toBeNull();
  expect(await drop(colleague)).toEqual({ ...told, unanswered: null });
  expect(await drop(await t.signUp())).toBeNull();
});

test("what is within ten points of the usual, or has next to nothing before it, is no drop", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  await used(ann, twinId, 4, 4, 0.9, 100);
  await used(ann, twinId, 3, 4, 0.5, 100);
  await used(ann, twinId, 2, 8, 0.65, 100);
  expect((await report(ann)).drop).toBeNull();
  await used(ann, twinId, 1, 8, 0.5, 100);
  expect((await report(ann)).drop).toMatchObject({ date: daysAgo(1), accuracy: 50, usual: 67.5, unanswered: null });
});

test("a day of four answers is no alarm, one of five is", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  await used(ann, twinId, 3, 10, 0.9, 100);
  await used(ann, twinId, 2, 4, 0.1, 100);
  expect((await report(ann)).drop).toBeNull();
  await used(ann, twinId, 1, 5, 0.1, 100);
  expect((await report(ann)).drop).toMatchObject({ date: daysAgo(1), answers: 5 });
});

test("a report of one twin counts its answers, its days and its ratings alone", async () => {
  const [ann, eve] = [await t.signUp(), await t.signUp()];
  const [first, second] = [await buildTwin(ann, { name: "Анна" }), await buildTwin(ann, { name: "Пётр" })];
  const { messageId } = (await ann.post("/api/ai-generate", { twinId: second, message: "Привет!" })).json();
  await ann.post(`/api/conversations/messages/${messageId}/feedback`, { rating: 2 });
  await used(ann, first, 1, 6, 0.5, 1000);
  await used(ann, second, 1, 2, 0.9, 3000);
  await used(ann, first, 8, 3, 0.4, 1000);
  const said = await report(ann, `?twinId=${first}`);
  expect(said).toMatchObject({
    totalInteractions: 6,
    responseAccuracy: 50,
    userSatisfaction: null,
    avgResponseTime: 1,
  });
  expect(said.previous).toMatchObject({ totalInteractions: 3 });
  expect(said.dailyStats.at(-2)).toMatchObject({ interactions: 6 });
  expect(said.topPerformingTwins.map(({ id }) => id)).toEqual([first]);
  expect(await report(ann, `?twinId=${second}`)).toMatchObject({ totalInteractions: 3, userSatisfaction: 2 });
  expect(await report(eve, `?twinId=${first}`)).toMatchObject({ totalInteractions: 0, topPerformingTwins: [] });
  expect((await ann.get("/api/analytics?twinId=1")).statusCode).toBe(400);
});

test("a period ends today and begins as many calendar days before, ratings too", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann, { name: "Анна" });
  const { messageId } = (await ann.post("/api/ai-generate", { twinId, message: "Привет!" })).json();
  await ann.post(`/api/conversations/messages/${messageId}/feedback`, { rating: 4 });
  await asTenant(t.services.db, ann.caller, (tx) =>
    tx.update(replyFeedback).set({ createdAt: sql`now() - interval '20 days'` }),
  );
  for (const [ago, messages] of [
    [6, 10],
    [7, 100],
    [29, 1000],
    [30, 10_000],
    [89, 100_000],
    [90, 1_000_000],
  ] as const) {
    await used(ann, twinId, ago, messages, 0.5, 100);
  }
  expect(await report(ann, "?days=7")).toMatchObject({ totalInteractions: 11, userSatisfaction: null });
  expect(await report(ann, "?days=30")).toMatchObject({ totalInteractions: 1111, userSatisfaction: 4 });
  const longest = await report(ann, "?days=90");
  expect(longest).toMatchObject({ totalInteractions: 111_111, responseAccuracy: 50, avgResponseTime: 0.1 });
  expect(longest.dailyStats).toHaveLength(90);
  for (const query of ["?days=8", "?days=", "?days=7&days=30"]) {
    expect((await ann.get(`/api/analytics${query}`)).statusCode, query).toBe(400);
  }
});

test("the five twins that answered most are ranked, of equals the surer first, and none of another organisation", async () => {
  const [ann, eve] = [await t.signUp(), await t.signUp()];
  await used(eve, await buildTwin(eve, { name: "Чужой" }), 1, 9999, 1, 1);
  const figures = [3, 9, 1, 9, 7, 5] as const;
  for (const [place, messages] of figures.entries()) {
    await used(ann, await buildTwin(ann, { name: `Двойник ${place}` }), 1, messages, place === 3 ? 0.9 : 0.8, 10);
  }
  const { topPerformingTwins, totalInteractions } = await report(ann);
  expect(topPerformingTwins.map(({ name, interactions, accuracy }) => [name, interactions, accuracy])).toEqual([
    ["Двойник 3", 9, 90],
    ["Двойник 1", 9, 80],
    ["Двойник 4", 7, 80],
    ["Двойник 5", 5, 80],
    ["Двойник 0", 3, 80],
  ]);
  expect(totalInteractions).toBe(34);
});
