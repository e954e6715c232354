/** A twin that answers automatically gets a question in the website chat that only its owner can answer. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Corrections } from "#contract/corrections.ts";
import type { WidgetConversation } from "#contract/integrations/widget.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { MAX_OPEN, OPEN_QUESTION } from "./open-questions.ts";

const UNKNOWN = "Во сколько лет можно водить снегоход?";
const SENT = { timeout: 30_000, interval: 50 };
const PROMISE = /уточню у владельца/i;

let t: TestApp;
let owner: TestClient;
let twinId: string;
let widgetId: string;
let visitor: string;
beforeAll(async () => {
  t = await testApp();
  owner = await t.signUp();
  twinId = await buildTwin(owner);
  await buildDocument(
    owner,
    twinId,
    "Доставка по Москве занимает один день и стоит 350 рублей. Возврат возможен в течение 14 дней.",
  );
  await t.jobsIdle();
});
afterAll(() => t.close());
beforeEach(async () => {
  visitor = randomBytes(32).toString("base64url");
  await answersBy("auto");
  for (const { id } of await waiting()) await owner.post(`/api/approvals/${id}/reject`);
});

async function answersBy(autonomy: string): Promise<void> {
  const saved = await owner.put(`/api/digital-twins/${twinId}/widget`, {
    enabled: true,
    allowedSites: [],
    title: "Спросите нас",
    greeting: "Здравствуйте!",
    color: "#0f5f63",
    autonomy,
    dailyMessages: 1000,
  });
  widgetId = saved.json().id;
}

const headers = () => ({ "x-visitor": visitor, "sec-fetch-site": "same-origin" });
const waiting = async (): Promise<Approval[]> => (await owner.get("/api/approvals")).json();
const talk = async (): Promise<WidgetConversation> =>
  (await t.anonymous.inject({ url: `/widget/${widgetId}/talk?after=0`, headers: headers() })).json();
const corrections = async (): Promise<Corrections> =>
  (await owner.get(`/api/digital-twins/${twinId}/corrections`)).json();
const heard = async () => (await talk()).lines.at(-1)!;

async function say(text: string): Promise<string> {
  const payload = { id: randomUUID(), text };
  await t.anonymous.inject({ method: "POST", url: `/widget/${widgetId}/messages`, headers: headers(), payload });
  return (await heard()).text;
}

describe("a question that nothing answers", () => {
  test("is put off with a promise of the owner's answer, and waits for him with what was found nearest", async () => {
    expect(await say(UNKNOWN)).toMatch(PROMISE);
    const [item, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      question: UNKNOWN,
      text: "",
      state: "draft",
      reason: OPEN_QUESTION,
      basis: "unknown",
    });
    expect((await talk()).human).toBe(true);
    expect((await owner.get("/api/approvals/count")).json()).toEqual({ waiting: 1 });
  });

  test("is not stored twice when it is asked again, and the contact hears that it is being seen to", async () => {
    await say(UNKNOWN);
    expect(await say("Подскажите, во сколько лет можно водить снегоход")).toMatch(/Ещё уточняю/);
    expect((await waiting()).map(({ question }) => question)).toEqual([UNKNOWN]);
  });

  test("joins the newest one when a conversation has too many, so that nothing is lost", async () => {
    const asked = ["снегоход", "парапланы", "яхту", "вертолёт", "трактор"].map((what) => `Кто научит водить ${what}?`);
    for (const question of asked) await say(question);
    const open = await waiting();
    expect(open).toHaveLength(MAX_OPEN);
    expect(open.flatMap(({ question }) => question.split("\n"))).toEqual(asked);
  });

  test("is answered by the owner as a draft, and if he publishes it the twin gives all contacts this answer from then on", async () => {
    await say(UNKNOWN);
    const [{ id }] = (await waiting()) as [Approval];
    expect((await owner.post(`/api/approvals/${id}/approve`)).json()).toMatchObject({ code: "no_answer_yet" });
    await owner.put(`/api/approvals/${id}`, { text: "Снегоход можно водить с 16 лет, права категории А1." });
    expect((await owner.post(`/api/approvals/${id}/approve?teach=everybody`)).statusCode).toBe(200);
    await expect.poll(heard, SENT).toMatchObject({
      from: "owner",
      text: "Снегоход можно водить с 16 лет, права категории А1.",
    });
    await expect.poll(async () => (await corrections()).corrections.length, SENT).toBe(1);
    const taught = await corrections();
    expect(taught.waiting).toEqual([]);
    expect(taught.corrections).toMatchObject([{ question: UNKNOWN, scope: "everybody", active: true }]);
    // Another contact asks the same question.
    visitor = randomBytes(32).toString("base64url");
    expect(await say(UNKNOWN)).toContain("с 16 лет");
    expect(await waiting()).toEqual([]);
    await owner.delete(`/api/digital-twins/${twinId}/corrections/${taught.corrections[0]!.id}`);
  });

  test("teaches nothing unless requested: the owner's words wait among the corrections", async () => {
    await say(UNKNOWN);
    const [{ id }] = (await waiting()) as [Approval];
    await owner.put(`/api/approvals/${id}`, { text: "С 16 лет." });
    await owner.post(`/api/approvals/${id}/approve`);
    await expect.poll(async () => (await heard()).text, SENT).toBe("С 16 лет.");
    const taught = await corrections();
    expect(taught.corrections).toEqual([]);
    expect(taught.waiting).toMatchObject([{ question: UNKNOWN, correction: "С 16 лет." }]);
  });

  test("teaches nothing that the twin may never say, and the owner is warned before the answer is sent", async () => {
    await say(UNKNOWN);
    const [{ id }] = (await waiting()) as [Approval];
    await owner.put(`/api/approvals/${id}`, { text: "Я живой человек, а не бот, отвечу сам." });
    const refused = await owner.post(`/api/approvals/${id}/approve?teach=contact`);
    expect([refused.statusCode, refused.json().code]).toEqual([422, "human_claim"]);
    expect(await waiting()).toHaveLength(1);
  });

  test("is closed once the owner has written himself", async () => {
    await say(UNKNOWN);
    const [{ conversationId }] = (await waiting()) as [Approval];
    await owner.post(`/api/conversations/${conversationId}/messages`, { text: "С 16 лет" });
    expect(await waiting()).toEqual([]);
  });
});

test("small talk, thanks and what is answered leave nothing to the owner", async () => {
  for (const text of ["Здравствуйте!", "Сколько стоит доставка по Москве?", "Спасибо большое", "До свидания"])
    expect(await say(text)).not.toMatch(PROMISE);
  expect(await waiting()).toEqual([]);
});

test("a complaint and a request wait for the owner, and neither is met with «Понятно»", async () => {
  for (const text of ["Курьер опять приехал на день позже и нахамил", "Перезвоните мне, пожалуйста"]) {
    const answer = await say(text);
    expect(answer).not.toMatch(/понятно/i);
    expect((await waiting()).at(-1), text).toMatchObject({ question: text, state: "draft" });
  }
});

test.each(["draft", "confident"])(
  "where answers wait for the owner («%s»), the draft is the twin's as before",
  async (autonomy) => {
    await answersBy(autonomy);
    await say(UNKNOWN);
    const [item, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(item!.text).toMatch(/не знаю/i);
    expect(item!.text).not.toMatch(PROMISE);
    expect(item!.reason).not.toBe(OPEN_QUESTION);
  },
);
