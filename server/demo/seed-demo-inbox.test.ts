/** What a newcomer finds in the demo's inbox, and that all of it works as any other talk does. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Conversation } from "#contract/conversations/conversations.ts";
import type { Gaps } from "#contract/gaps.ts";
import type { Twin } from "#contract/twins.ts";
import { conversationMessages, outbox } from "#server/db/schema.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { seedDemo } from "./seed-demo.ts";

let t: TestApp;
let get: (url: string) => Promise<never>;
let post: (url: string) => Promise<number>;
beforeAll(async () => {
  t = await testApp({ demo: true });
  await seedDemo(t.services);
  const login = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
  const { token } = (await t.anonymous.post("/api/auth/telegram", login)).json();
  const headers = { authorization: `Bearer ${token}` };
  get = async (url) => (await t.anonymous.inject({ url, headers })).json() as never;
  post = async (url) => (await t.anonymous.inject({ method: "POST", url, headers })).statusCode;
});
afterAll(() => t.close());

test("a dozen customers have written in the last days, some unread and one taken over by the owner, and the figures agree", async () => {
  const talks: Conversation[] = await get("/api/conversations");
  expect(talks).toHaveLength(12);
  expect(new Set(talks.map(({ twinName }) => twinName)).size).toBe(3);
  expect(talks.filter(({ unread }) => unread).length).toBeGreaterThanOrEqual(3);
  expect(talks.filter(({ lead }) => lead === "me")).toHaveLength(1);
  const days = new Set(talks.map(({ updatedAt }) => updatedAt.slice(0, 10)));
  expect(days.size).toBeGreaterThanOrEqual(3);
  for (const { updatedAt } of talks) expect(Date.now() - Date.parse(updatedAt)).toBeGreaterThan(0);
  const lines = await t.services.db.select().from(conversationMessages);
  const answers = lines.filter(({ role, author }) => role === "assistant" && author === null);
  expect(lines.filter(({ author }) => author === "owner").length).toBeGreaterThanOrEqual(2);
  const stats: { totalMessages: number } = await get("/api/dashboard/stats");
  expect(stats.totalMessages).toBe(answers.length);
});

test("three drafts wait with their citations: a confident one, a quotation and a question for the owner", async () => {
  const drafts: Approval[] = await get("/api/approvals");
  expect(drafts.map(({ basis }) => basis).toSorted()).toEqual(["knowledge", "quoted", "unknown"]);
  for (const draft of drafts) expect(draft.sources, draft.question).toHaveLength(1);
  expect(await get("/api/approvals/count")).toEqual({ waiting: 3 });
});

test("what the twin did not know is in «Пробелы», asked by one customer at the time of his message", async () => {
  await t.jobsIdle();
  const twins: Twin[] = await get("/api/digital-twins");
  const lists: Gaps[] = await Promise.all(twins.map(({ id }) => get(`/api/digital-twins/${id}/gaps`)));
  const [asked, ...others] = lists.flatMap(({ gaps }) => gaps);
  expect(others).toEqual([]);
  expect(asked).toMatchObject({ state: "open", people: 1, times: 1 });
  expect(asked!.question).toContain("на обжарку с ребёнком");
  expect(asked!.questions[0]!.contactName).toBe("Олег Тарасов");
  expect(Date.now() - Date.parse(asked!.questions[0]!.askedAt)).toBeGreaterThan(60 * 60_000);
});

test("a draft that a newcomer approves is delivered, and nothing leaves the machine", async () => {
  const drafts: Approval[] = await get("/api/approvals");
  const sure = drafts.find(({ basis }) => basis === "knowledge")!;
  expect(await post(`/api/approvals/${sure.id}/approve`)).toBe(200);
  const stateOf = async () => (await t.services.db.select().from(outbox).where(eq(outbox.id, sure.id)))[0]!.state;
  await expect.poll(stateOf, { timeout: 30_000 }).toBe("sent");
  const lines: { content: string }[] = await get(`/api/conversations/${sure.conversationId}/messages`);
  expect(lines.at(-1)!.content).toBe(sure.text);
});

test("an inbox that was filled once is not filled again", async () => {
  await seedDemo(t.services);
  expect(await get("/api/conversations")).toHaveLength(12);
});
