import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ActivityEntry } from "#contract/analytics.ts";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { ModelBudget } from "#contract/models/model-budget.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { dailyUsage, modelBudgets } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { createModelBudget, isBudgetSpent, type Payer } from "./model-budget.ts";

const USAGE = { prompt_tokens: 30_000, completion_tokens: 1_000 };
const LIMITS = { organization: 200_000, twin: 100_000 };

let model: OpenAiServer;
let t: TestApp;
let owner: TestClient;
let twinId: string;
beforeAll(async () => {
  model = await startOpenAiServer({ text: "Подскажите, какой товар вас интересует.", usage: USAGE });
  const llm = { baseUrl: model.baseUrl, apiKey: null, model: "test", timeoutSeconds: 20 };
  t = await testApp({ llm, modelLimits: LIMITS });
});
afterAll(async () => {
  await t.close();
  await model.close();
});
beforeEach(async () => {
  owner = await t.signUp();
  twinId = await buildTwin(owner);
  model.requests.length = 0;
});

const payerOf = (client: TestClient, twin = twinId): Payer => ({
  organizationId: client.caller.organizationId,
  userId: client.caller.userId,
  twinId: twin,
});
const budget = () =>
  createModelBudget({ db: t.services.db, log: t.services.log, limits: t.services.config.modelLimits });
const ofTwin = async (): Promise<ModelBudget["budget"]> =>
  (await owner.get(`/api/digital-twins/${twinId}/model-budget`)).json().budget;
const ofOrganization = async (): Promise<ModelBudget["budget"]> =>
  (await owner.get(`/api/organizations/${owner.caller.organizationId}/model-budget`)).json().budget;
const ask = (message = "Сколько стоит доставка?", headers: Record<string, string> = {}) =>
  owner.inject({ method: "POST", url: "/api/ai-generate", payload: { twinId, message }, headers });
const feed = async (client = owner) =>
  ((await client.get("/api/activity/recent")).json() as ActivityEntry[])
    .filter(({ type }) => type === "model_budget")
    .map(({ description }) => description);
const spendAll = () => budget().take(payerOf(owner), LIMITS.twin);

test("simultaneous calls cannot exceed the daily limit of the twin or of the organisation", async () => {
  const take = () => budget().take(payerOf(owner), 15_000);
  const taken = await Promise.allSettled(Array.from({ length: 20 }, take));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
  for (const one of taken)
    if (one.status === "rejected") expect(isBudgetSpent(one.reason), String(one.reason)).toBe(true);
  expect(await ofTwin()).toMatchObject({ used: 90_000, limit: LIMITS.twin });
  // When the twin's budget refuses a call, the organisation is not charged.
  expect(await ofOrganization()).toMatchObject({ used: 90_000, limit: LIMITS.organization });
});

test("an organisation's daily limit is shared by its own twins only", async () => {
  const other = await buildTwin(owner);
  const third = await buildTwin(owner);
  await budget().take(payerOf(owner), 100_000);
  await budget().take(payerOf(owner, other), 90_000);
  await expect(budget().take(payerOf(owner, third), 20_000)).rejects.toMatchObject({
    status: 429,
    message: "Дневной лимит токенов организации исчерпан. Он обновится в полночь по Москве.",
  });
  const stranger = await t.signUp();
  await budget().take(payerOf(stranger, await buildTwin(stranger)), 20_000);
  // Another organisation's twin is not found, regardless of the caller.
  await expect(budget().take({ ...payerOf(stranger), twinId }, 1)).rejects.toMatchObject({ status: 404 });
});

test("usage starts from zero on a new day in Moscow", async () => {
  await spendAll();
  const yesterday = "2020-01-01";
  await asTenant(t.services.db, owner.caller, async (tx) => {
    await tx.update(modelBudgets).set({ day: yesterday, tokens: LIMITS.organization });
    await tx.update(dailyUsage).set({ day: yesterday }).where(eq(dailyUsage.twinId, twinId));
  });
  expect(await ofOrganization()).toMatchObject({ used: 0 });
  await spendAll();
  expect(await ofOrganization()).toMatchObject({ used: LIMITS.twin });
});

test("background work uses at most half of the daily limit", async () => {
  const background = () => budget().take(payerOf(owner), 40_000, { background: true });
  await background();
  await expect(background()).rejects.toSatisfy(isBudgetSpent);
  expect(await feed()).toEqual([]);
  await budget().take(payerOf(owner), 40_000);
});

test("an answer costs what the model's server reports, and a request that failed before it was read costs nothing", async () => {
  expect((await ask()).statusCode).toBe(200);
  const cost = USAGE.prompt_tokens + USAGE.completion_tokens;
  expect(await ofTwin()).toMatchObject({ used: cost });
  model.script({ kind: "error", status: 500 });
  expect((await ask()).statusCode).toBe(502);
  expect(await ofTwin()).toMatchObject({ used: cost });
  expect(await ofOrganization()).toMatchObject({ used: cost });
  // The answer was cut off after the prompt was read, so it has to be paid for.
  model.script({ kind: "cut", after: 2 });
  expect((await ask()).statusCode).toBe(502);
  expect((await ofTwin())!.used).toBeGreaterThan(cost);
});

test("when the daily limit is used up a test chat is refused with 429 before a stream begins, and no model is called", async () => {
  await spendAll();
  for (const accept of ["application/json", "text/event-stream"]) {
    const refused = await ask("Сколько стоит доставка?", { accept });
    expect(refused.statusCode, refused.body).toBe(429);
    expect(refused.json()).toMatchObject({
      code: "model_budget_spent",
      message: "Дневной лимит токенов двойника исчерпан. Он обновится в полночь по Москве.",
    });
    const seconds = Number(refused.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(24 * 3600);
  }
  expect(model.requests).toEqual([]);
});

test("a call with an API key is refused in the same way, with and without streaming", async () => {
  const made = await owner.post(`/api/digital-twins/${twinId}/keys`, {
    name: "Сайт",
    scopes: ["ask"],
    dailyMessages: 1000,
    dailyTokens: 1_000_000,
  });
  await spendAll();
  for (const stream of [false, true]) {
    const answer = await t.anonymous.inject({
      method: "POST",
      url: "/v1/chat/completions",
      headers: { authorization: `Bearer ${made.json().token}` },
      payload: { model: twinId, stream, messages: [{ role: "user", content: "Сколько стоит доставка?" }] },
    });
    expect(answer.statusCode, answer.body).toBe(429);
    expect(answer.json().error).toMatchObject({ code: "model_budget_spent", type: "rate_limit_error" });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  }
  expect(model.requests).toEqual([]);
});

test("a contact's message waits for the owner when the limit is used up, and the extractive reader does not answer instead", async () => {
  const widget = (
    await owner.put(`/api/digital-twins/${twinId}/widget`, {
      enabled: true,
      allowedSites: [],
      title: "Спросите нас",
      greeting: "Здравствуйте!",
      color: "#0f5f63",
      autonomy: "auto",
      dailyMessages: 100,
    })
  ).json();
  await spendAll();
  const visitor = { "x-visitor": randomBytes(32).toString("base64url") };
  const said = await t.anonymous.inject({
    method: "POST",
    url: `/widget/${widget.id}/messages`,
    headers: visitor,
    payload: { id: randomUUID(), text: "Сколько стоит доставка?" },
  });
  expect(said.body).not.toMatch(/event: (?:delta|error)/);
  const talk = (await t.anonymous.inject({ url: `/widget/${widget.id}/talk?after=0`, headers: visitor })).json();
  expect(talk).toMatchObject({ lines: [{ from: "visitor" }], human: true });
  const [draft] = (await owner.get("/api/approvals")).json() as Approval[];
  expect(draft).toMatchObject({
    state: "draft",
    question: "Сколько стоит доставка?",
    text: "",
    confidence: null,
    reason: "Дневной лимит токенов двойника исчерпан. Он обновится в полночь по Москве.",
  });
  expect(model.requests).toEqual([]);
  const empty = await owner.post(`/api/approvals/${draft!.id}/approve`);
  expect(empty.json()).toMatchObject({ code: "no_answer_yet" });
  await owner.put(`/api/approvals/${draft!.id}`, { text: "350 рублей" });
  expect((await owner.post(`/api/approvals/${draft!.id}/approve`)).statusCode).toBe(200);
  await expect
    .poll(
      async () => (await t.anonymous.inject({ url: `/widget/${widget.id}/talk?after=0`, headers: visitor })).json(),
      {
        timeout: 20_000,
      },
    )
    .toMatchObject({ lines: [{ from: "visitor" }, { text: expect.stringContaining("350 рублей") }], human: false });
});

test("the owner is warned once at 80 percent and once at the limit, in notifications and on the dashboard", async () => {
  await budget().take(payerOf(owner), 79_000);
  expect(await feed()).toEqual([]);
  for (const tokens of [1_000, 1_000, 18_000]) await budget().take(payerOf(owner), tokens);
  for (let i = 0; i < 2; i++) await ask();
  expect(await feed()).toEqual([
    "Дневной лимит токенов двойника исчерпан.",
    "Израсходовано 80 % дневного лимита токенов двойника.",
  ]);
});

test("the owner sets the twin's limit and the administrator the organisation's, neither above the server's", async () => {
  const { organizationId } = owner.caller;
  const member = await t.signUp({ organizationId, role: "user" });
  const limit = (client: TestClient, dailyTokens: number) =>
    client.put(`/api/digital-twins/${twinId}/model-budget`, { dailyTokens });
  const whole = (client: TestClient, dailyTokens: number) =>
    client.put(`/api/organizations/${organizationId}/model-budget`, { dailyTokens });
  expect((await limit(member, 60_000)).statusCode).toBe(403);
  expect((await whole(member, 60_000)).statusCode).toBe(403);
  expect((await limit(owner, LIMITS.organization + 1)).json()).toMatchObject({ code: "too_many_tokens" });
  expect((await whole(owner, LIMITS.organization + 1)).statusCode).toBe(422);
  expect((await limit(owner, 10)).statusCode).toBe(400);
  expect((await limit(owner, 150_000)).json()).toEqual({
    budget: { limit: 150_000, own: 150_000, most: LIMITS.organization, used: 0 },
  });
  await budget().take(payerOf(owner), 149_500);
  expect((await whole(owner, 120_000)).json().budget).toMatchObject({ limit: 120_000, used: 149_500 });
  expect((await ask()).json()).toMatchObject({ code: "model_budget_spent" });
  expect((await whole(owner, 0)).json().budget).toMatchObject({ limit: LIMITS.organization, own: null });
  expect((await ask()).statusCode).toBe(429);
  await limit(owner, 190_000);
  expect((await ask()).statusCode).toBe(200);
});
