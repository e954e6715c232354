/**
 * An organisation's own model: stored with an encrypted key, used for its twins alone, charged to its daily budget, and unused under
 * «только локальная модель».
 */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RemoteCheck, RemoteModel } from "#contract/models/remote-model.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { gaps } from "#server/platform/db/schema/conversations.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { modelBudgets } from "#server/platform/db/schema/twins.ts";
import { createLog } from "#server/platform/log.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type Gigachat, startGigachat } from "#server/test/servers/remote-model-servers.ts";
import { watchedSocket } from "#server/test/servers/watched-socket.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { rowOf } from "./settings.ts";

const KEY = "sk-canary-of-the-organisation";
const USAGE = { prompt_tokens: 2000, completion_tokens: 500 };
const ANSWER = "Подскажите, какой товар вас интересует.";

let t: TestApp;
let model: OpenAiServer;
let giga: Gigachat;
const logged: string[] = [];
/** This user is the installation's administrator and may name addresses of this machine. */
let owner: TestClient;
let things: Things;
beforeAll(async () => {
  model = await startOpenAiServer({ text: ANSWER, usage: USAGE });
  giga = await startGigachat({ key: KEY });
  const log = createLog("trace", { write: (line: string) => void logged.push(line) });
  t = await testApp({ localModelHosts: [] }, log);
  owner = await t.signUp({ superAdmin: true });
  things = await makeThings(t, owner);
  await t.jobsIdle();
});
afterAll(async () => {
  await t.close();
  await model.close();
  await giga.close();
});
beforeEach(async () => {
  // A model that is switched on is asked them again, which inbox/gaps/taught-answer.test.ts counts.
  await t.jobsIdle();
  await asTenant(t.services.db, owner.caller, (tx) => tx.delete(gaps));
  model.requests.length = 0;
});

const addressOf = (client: TestClient) => `/api/organizations/${client.caller.organizationId}/remote-model`;
const form = (changes: Record<string, unknown> = {}) => ({
  ...{ preset: "compatible", baseUrl: model.baseUrl, model: "m", apiKey: KEY, currency: "RUB" },
  ...{ inputPrice: 1, outputPrice: 2, enabled: true, ...changes },
});
async function connect(changes: Record<string, unknown> = {}, client = owner): Promise<RemoteModel> {
  const answer = await client.put(addressOf(client), form(changes));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const check = async (changes: Record<string, unknown> = {}, client = owner) =>
  (await client.post(`${addressOf(client)}/check`, form(changes))).json<RemoteCheck>();
const ask = (client = owner, twinId = things.twinId, message = "Какая сегодня погода на Луне?") =>
  client.post("/api/ai-generate", { twinId, message });
const setRule = (localOnly: boolean) =>
  owner.put(`/api/organizations/${owner.caller.organizationId}/model-rule`, { localOnly });

test("the organisation's own model answers its twins with its key, and is never used for another organisation", async () => {
  await connect();
  const reply = await ask();
  expect(reply.statusCode, reply.body).toBe(200);
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
  const stranger = await t.signUp();
  const other = await makeThings(t, stranger);
  expect((await ask(stranger, other.twinId)).statusCode).toBe(200);
  expect(model.requests).toHaveLength(1);
  const rule = await owner.get(`/api/organizations/${owner.caller.organizationId}/model-rule`);
  expect(rule.json()).toMatchObject({ model: { host: "127.0.0.1", local: false }, engine: "llm" });
  // A model that is switched off keeps its settings and is not called.
  await connect({ enabled: false });
  expect((await ask()).statusCode).toBe(200);
  expect(model.requests).toHaveLength(1);
});

test("the key is sealed, occurs in no answer and no log, and is sent to no other address", async () => {
  const set = await connect();
  expect(set.settings).toMatchObject({ hasKey: true, baseUrl: model.baseUrl });
  const [row] = await asTenant(t.services.db, owner.caller, (tx) => tx.select().from(remoteModels));
  expect(row!.apiKey!.toString("latin1")).not.toContain(KEY);
  // Without a new key the stored one is used.
  await connect({ apiKey: undefined, model: "m2" });
  expect((await check({ apiKey: undefined })).problem).toBeNull();
  expect(model.requests.at(-1)!.headers.authorization).toBe(`Bearer ${KEY}`);
  const elsewhere = { apiKey: undefined, baseUrl: `${model.baseUrl}/elsewhere`, preset: "openrouter" };
  for (const answer of [
    await owner.put(addressOf(owner), form(elsewhere)),
    await owner.post(`${addressOf(owner)}/check`, form(elsewhere)),
  ]) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "key_needed", fields: { apiKey: expect.stringContaining("ещё раз") } });
  }
  const others = { apiKey: undefined, baseUrl: `${model.baseUrl.replace("/v1", "")}/other/v1` };
  await check(others);
  expect(model.requests.at(-1)!.headers.authorization).toBeUndefined();
  const read = await owner.get(addressOf(owner));
  for (const text of [read.body, JSON.stringify(set), logged.join("")]) expect(text).not.toContain(KEY);
});

test("GigaChat answers a twin, and «Проверить» shows the contract of the key", async () => {
  const place = { preset: "gigachat", baseUrl: giga.baseUrl, authUrl: giga.authUrl, model: "GigaChat-2" };
  expect((await check({ ...place, scope: "GIGACHAT_API_PERS" })).problem).toBeNull();
  expect((await check({ ...place, scope: "GIGACHAT_API_CORP" })).problem).toBe("scope");
  expect((await check({ ...place, apiKey: "another" })).problem).toBe("key");
  await connect({ ...place, scope: "GIGACHAT_API_PERS" });
  giga.asked.length = 0;
  const before = giga.issued.length;
  expect((await ask()).statusCode).toBe(200);
  giga.revoke();
  expect((await ask()).statusCode).toBe(200);
  expect(giga.issued.length - before).toBe(2);
  expect(giga.asked.length).toBeGreaterThanOrEqual(3);
});

test("members see the model without its key and cannot change it; only the operator may use private addresses", async () => {
  await connect();
  const { organizationId } = owner.caller;
  const member = await t.signUp({ organizationId, role: "user" });
  const seen = await member.get(addressOf(member));
  expect(seen.json<RemoteModel>()).toMatchObject({ mayBePrivate: false, settings: { hasKey: true } });
  expect((await member.put(addressOf(member), form())).statusCode).toBe(403);
  expect((await member.post(`${addressOf(member)}/check`, form())).statusCode).toBe(403);
  expect((await member.delete(addressOf(member))).statusCode).toBe(403);

  const admin = await t.signUp();
  for (const baseUrl of [
    model.baseUrl,
    "https://localhost/v1",
    "https://192.168.0.5/v1",
    "https://[::1]/v1",
    "http://models.example/v1",
  ]) {
    const refused = await admin.put(addressOf(admin), form({ baseUrl }));
    expect(refused.statusCode, baseUrl).toBe(400);
    expect(refused.json()).toMatchObject({ code: "private_address", fields: { baseUrl: expect.any(String) } });
    expect((await check({ baseUrl }, admin)).problem).toBe("private");
  }
  const hidden = form({ preset: "gigachat", baseUrl: "https://models.example/v1", authUrl: giga.authUrl });
  expect((await admin.put(addressOf(admin), hidden)).json()).toMatchObject({ fields: { authUrl: expect.any(String) } });
  expect(model.requests).toEqual([]);
  for (const baseUrl of ["https://user:pw@models.example/v1", "ftp://models.example", "https://models.example/v1?a=b"])
    expect((await admin.put(addressOf(admin), form({ baseUrl }))).statusCode, baseUrl).toBe(400);

  // An administrator of the organisation only may change everything but the address that the operator has set.
  const colleague = await t.signUp({ organizationId });
  await connect({ model: "m3", apiKey: undefined }, colleague);
  expect((await colleague.put(addressOf(colleague), form({ baseUrl: `${model.baseUrl}/x` }))).statusCode).toBe(400);
});

test("money is counted by the prices, and once the day's budget is spent the model is not asked", async () => {
  await asTenant(t.services.db, owner.caller, (tx) => tx.update(modelBudgets).set({ money: 0, tokens: 0 }));
  // 2,000 tokens at 1 ₽ and 500 at 2 ₽ per thousand.
  await connect({ dailyMoney: 20 });
  expect((await ask()).statusCode).toBe(200);
  const read = async () => (await owner.get(addressOf(owner))).json<RemoteModel>().today;
  expect(await read()).toMatchObject({ money: 3, moneyLimit: 20, tokens: 2500 });
  // «Проверить» calls the same model on the same account, so it is charged too, even before anything is saved; it is free when no model was
  // reached.
  expect((await check()).problem).toBeNull();
  expect(await read()).toMatchObject({ money: 3.028, tokens: 2520 });
  expect((await check({ apiKey: undefined, baseUrl: "http://127.0.0.1:1/v1", preset: "vllm" })).problem).toBe(
    "refused",
  );
  expect(await read()).toMatchObject({ money: 3.028, tokens: 2520 });
  await asTenant(t.services.db, owner.caller, (tx) => tx.update(modelBudgets).set({ money: 3e6, tokens: 2500 }));
  const budget = await owner.get(`/api/organizations/${owner.caller.organizationId}/model-budget`);
  expect(budget.json()).toMatchObject({ budget: { used: 2500 } });
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.update(modelBudgets).set({ money: 19_900_000 }).where(eq(modelBudgets.orgId, owner.caller.organizationId)),
  );
  model.requests.length = 0;
  const refused = await ask();
  expect(refused.statusCode, refused.body).toBe(429);
  expect(refused.json()).toMatchObject({
    code: "model_budget_spent",
    message: "Дневной лимит расходов организации на модель исчерпан. Он обновится в полночь по Москве.",
  });
  expect(model.requests).toEqual([]);
  // In another currency the amount spent would mean nothing.
  expect((await connect({ currency: "USD", dailyMoney: 1 })).today).toMatchObject({ money: 0, moneyLimit: 1 });
  const needsPrices = form({ inputPrice: undefined, outputPrice: undefined, dailyMoney: 5 });
  expect((await owner.put(addressOf(owner), needsPrices)).json()).toMatchObject({
    fields: { dailyMoney: expect.any(String) },
  });
  await connect();
});

test("a context that the administrator has set is believed, and an empty one is asked of the server", async () => {
  const roomOf = async (changes: Record<string, unknown>) => {
    const { settings } = await connect(changes);
    const row = await asTenant(t.services.db, owner.caller, (tx) => rowOf(tx, owner.caller.organizationId, false));
    const { knowledgeRoom } = await t.services.remoteGenerators.of(row!, owner.caller);
    return { set: settings!.contextTokens, knowledgeRoom: knowledgeRoom! };
  };
  const usual = await roomOf({});
  expect(usual.set).toBeNull();
  const small = await roomOf({ contextTokens: 4096 });
  expect(small.set).toBe(4096);
  expect(small.knowledgeRoom).toBeLessThan(usual.knowledgeRoom / 2);
  // A longer prompt than the usual one is written where it is cheap.
  const cheap = await roomOf({ contextTokens: 65_536, inputPrice: 0, outputPrice: 0 });
  expect(cheap.knowledgeRoom).toBeGreaterThan(usual.knowledgeRoom * 2);
  const refused = await owner.put(addressOf(owner), form({ contextTokens: 100 }));
  expect(refused.json()).toMatchObject({ fields: { contextTokens: "Не меньше 1024 токенов" } });
  await connect();
});

test("a provider's failure is the reply's failure in plain words, and an empty account is reported as such", async () => {
  await connect();
  model.script({ kind: "error", status: 402 });
  expect((await ask()).json()).toMatchObject({ code: "model_unpaid" });
  model.script({ kind: "cut", after: 1 });
  expect((await ask()).json()).toMatchObject({ code: "model_cut" });
  // GigaChat's finish reason for a subject that it refuses to discuss.
  model.script({ kind: "ok", text: "Не люблю такие темы.", finishReason: "blacklist" });
  expect((await ask()).json()).toMatchObject({ code: "model_refused" });
  model.script({ kind: "redirect", to: "http://127.0.0.1:9/" });
  expect((await ask()).statusCode).toBe(502);
});

test("a removed model is gone with its key, and the embedded engine answers again", async () => {
  await connect();
  expect((await owner.delete(addressOf(owner))).statusCode).toBe(204);
  expect((await owner.get(addressOf(owner))).json<RemoteModel>()).toMatchObject({ settings: null });
  expect(await asTenant(t.services.db, owner.caller, (tx) => tx.select().from(remoteModels))).toEqual([]);
  expect((await ask()).statusCode).toBe(200);
  expect(model.requests).toEqual([]);
});

async function whole(said: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const delta of said) text += delta;
  return text;
}

test("from the moment of the organisation's rule on no connection to its model is opened", async () => {
  const watched = await watchedSocket();
  await connect({ baseUrl: watched.baseUrl });
  await setRule(true);
  expect((await owner.get(addressOf(owner))).json<RemoteModel>().held).toBe("organization");
  expect((await ask(owner, things.twinId, "Сколько стоит доставка?")).statusCode).toBe(200);
  expect((await check({ baseUrl: watched.baseUrl })).problem).toBe("local-only");
  // A cached generator from before the rule was set.
  const kept = await t.services.remoteGenerators.of(
    (await asTenant(t.services.db, owner.caller, (tx) => tx.select().from(remoteModels)))[0]!,
    owner.caller,
  );
  const request = {
    ...{ twin: { name: "Анна", description: "", personality: "", communicationStyle: "", expertise: [] } },
    ...{ profile: null, message: "Сколько?", history: [], chunks: [], replyExamples: [] },
    ...{ confidence: { chunks: 0, replyExamples: 0 }, plan: { kind: "unknown" as const, confidence: 0, reason: "" } },
    payer: { ...owner.caller, twinId: things.twinId },
  };
  const said = whole(kept.generate(request, new AbortController().signal));
  await expect(said).rejects.toMatchObject({ code: "model_not_allowed" });
  expect(watched.connections()).toBe(0);
  await setRule(false);
  expect((await ask(owner, things.twinId, "Сколько стоит доставка?")).statusCode).toBe(502);
  expect(watched.connections()).toBeGreaterThan(0);
  watched.server.close();
});
