/** The demo's inbox for a newcomer: its contents, and that everything in it works as in any conversation. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Conversation } from "#contract/conversations/conversations.ts";
import type { Gap, GapState, Gaps } from "#contract/gaps.ts";
import type { Twin } from "#contract/twins.ts";
import { conversationMessages, outbox } from "#server/platform/db/schema/conversations.ts";
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

async function gapsIn(state: GapState): Promise<Gap[]> {
  const twins: Twin[] = await get("/api/digital-twins");
  const lists: Gaps[] = await Promise.all(twins.map(({ id }) => get(`/api/digital-twins/${id}/gaps?state=${state}`)));
  return lists.flatMap(({ gaps }) => gaps);
}

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

test("twins, documents and conversations were there before the first customer wrote", async () => {
  const lines = await t.services.db.select({ createdAt: conversationMessages.createdAt }).from(conversationMessages);
  const first = Math.min(...lines.map(({ createdAt }) => createdAt.getTime()));
  const documents: { createdAt: string }[] = await get("/api/knowledge/documents");
  const known: Twin[] = await get("/api/digital-twins");
  const moments = [...documents, ...known].map(({ createdAt }) => Date.parse(createdAt));
  expect(moments).toHaveLength(documents.length + 3);
  expect(documents.length).toBeGreaterThan(0);
  for (const moment of moments) expect(moment).toBeLessThan(first);
});

test("three drafts wait with their citations: a confident one, a quotation and a question for the owner", async () => {
  const drafts: Approval[] = await get("/api/approvals");
  expect(drafts.map(({ basis }) => basis).toSorted()).toEqual(["knowledge", "quoted", "unknown"]);
  for (const draft of drafts) expect(draft.sources, draft.question).toHaveLength(1);
  expect(await get("/api/approvals/count")).toEqual({ waiting: 3 });
});

test("what the twin did not know is in «Пробелы», asked by its customers at the time of their messages", async () => {
  await t.jobsIdle();
  const open = await gapsIn("open");
  expect(open).toHaveLength(3);
  const about = (words: string) => open.filter(({ question }) => question.toLowerCase().includes(words));
  const machines = about("кофемашину");
  // Two customers asked the same in other words, so one answer is offered for both.
  expect(machines.map(({ near }) => near.map(({ id }) => id))).toEqual(
    machines.map(({ id }) => machines.flatMap((other) => (other.id === id ? [] : [other.id]))),
  );
  expect(machines).toHaveLength(2);
  const [roasting] = about("на обжарку с ребёнком");
  expect(roasting!.questions[0]!.contactName).toBe("Олег Тарасов");
  expect(Date.now() - Date.parse(roasting!.questions[0]!.askedAt)).toBeGreaterThan(60 * 60_000);
});

test("a question that the owner has answered once is known to its asker and to the twin", async () => {
  const [answered, ...others] = await gapsIn("answered");
  expect(others).toEqual([]);
  expect(answered).toMatchObject({ answeredBy: "owner", answer: { text: expect.stringContaining("по субботам") } });
  expect(answered!.questions).toMatchObject([{ contactName: "Рустам", told: "sent", answered: true }]);
  const lines: { content: string }[] = await get(
    `/api/conversations/${answered!.questions[0]!.conversationId}/messages`,
  );
  expect(lines.at(-1)!.content).toContain("по субботам");
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
