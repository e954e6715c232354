/** «Только локальная модель»: while the rule is on, no data of the organisation reaches a remote model. */
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelRule } from "#contract/models/model-rule.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { isLocalModel } from "#server/models/remote/local-hosts.ts";
import { readConfig } from "#server/platform/config.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { withModels } from "./models.ts";

let t: TestApp;
let model: Server;
/** Number of connections opened to the model. */
let connections = 0;
let owner: TestClient;
let things: Things;
beforeAll(async () => {
  model = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  model.listen(0, "127.0.0.1");
  await once(model, "listening");
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  t = await testApp({
    llm: { baseUrl, apiKey: "k", model: "m", timeoutSeconds: 5 },
    embedding: { baseUrl, apiKey: "k", model: "e", timeoutMs: 200, dailyTokens: 100_000 },
    // The operator names no host of his own, so the address above is foreign.
    localModelHosts: [],
  });
  owner = await t.signUp();
  await setRule(true);
  things = await makeThings(t, owner);
  await t.jobsIdle();
});
afterAll(async () => {
  await t.close();
  model.close();
});

const address = () => `/api/organizations/${owner.caller.organizationId}/model-rule`;
async function setRule(localOnly: boolean): Promise<ModelRule> {
  const answer = await owner.put(address(), { localOnly });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const ask = (message: string) => owner.post("/api/ai-generate", { twinId: things.twinId, message });

async function contactAsks(text: string): Promise<void> {
  const { integrationId: id } = things;
  await owner.put(`/api/integrations/${id}`, { autonomy: "draft", status: "active" });
  const inbound = {
    ...{ eventId: "e1", conversation: "c1", position: 1, text, attachments: [], automated: false },
    ...{ peer: { id: "p1", name: "Пётр" }, sentAt: new Date(Date.now() - 60_000).toISOString() },
  };
  const tenant = { organizationId: owner.caller.organizationId, userId: owner.caller.userId };
  await storeInbound(t.services, { ...tenant, id }, inbound);
  await t.jobsIdle();
}

test("with the rule on no connection is opened, whoever asks; the embedded engine answers and says so", async () => {
  expect((await owner.get(address())).json<ModelRule>()).toEqual({
    localOnly: true,
    model: { host: "127.0.0.1", local: false },
    search: { host: "127.0.0.1", local: false },
    engine: "embedded",
  });
  // By now the twin was trained and measured and has answered in the test chat.
  expect(connections).toBe(0);
  const reply = await ask("Сколько стоит доставка?");
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.json().response).toContain("рублей");
  const search = await owner.get(`/api/digital-twins/${things.twinId}/search?q=доставка`);
  expect(search.statusCode).toBe(200);
  const path = `/api/digital-twins/${things.twinId}`;
  const key = { name: "сайт", scopes: ["ask"], dailyMessages: 10, dailyTokens: 100_000, expiresAt: null };
  const made = await owner.post(`${path}/keys`, key);
  expect(made.statusCode, made.body).toBe(201);
  const completion = await t.anonymous.inject({
    method: "POST",
    url: "/v1/chat/completions",
    headers: { authorization: `Bearer ${made.json().token}` },
    payload: { model: things.twinId, messages: [{ role: "user", content: "Сколько стоит доставка?" }] },
  });
  expect(completion.statusCode, completion.body).toBe(200);
  await owner.post(`${path}/corrections/replay`);
  await owner.post(`${path}/first-answer`, { show: "next" });
  await contactAsks("Сколько стоит доставка?");
  expect((await owner.get("/api/approvals")).body).toContain("рублей");
  expect(connections).toBe(0);
});

test("with the rule off the model is asked, and its failure is shown instead of silently falling back", async () => {
  expect(await setRule(false)).toMatchObject({ localOnly: false, engine: "llm" });
  const before = connections;
  expect((await ask("Сколько стоит доставка по Москве?")).statusCode).toBe(502);
  expect(connections).toBeGreaterThan(before);
  const log = (
    await owner.get(`/api/organizations/${owner.caller.organizationId}/audit?what=model-rule-changed`)
  ).json();
  expect(log).toMatchObject([
    { details: [{ label: "только локальная модель", value: "нет" }] },
    { details: [{ label: "только локальная модель", value: "да" }] },
  ]);
});

async function whole(said: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const delta of said) text += delta;
  return text;
}

test("models that were obtained before the rule was switched on, embeddings included, open no connection after it", async () => {
  await setRule(false);
  const { generator, queryEmbedder } = await withModels(t.services, owner.caller);
  await setRule(true);
  const before = connections;
  expect(await queryEmbedder!.of("Сколько стоит доставка?")).toBeNull();
  const { signal } = new AbortController();
  await expect(queryEmbedder!.embedder.embed(["Сколько стоит доставка?"], signal)).rejects.toMatchObject({
    status: 403,
  });
  const said = generator.generate(
    {
      ...{ twin: { name: "Анна", description: "", personality: "", communicationStyle: "", expertise: [] } },
      ...{ profile: null, message: "Сколько?", history: [], chunks: [], replyExamples: [] },
      ...{ confidence: { chunks: 0, replyExamples: 0 }, plan: { kind: "unknown", confidence: 0, reason: "" } },
      payer: { ...owner.caller, twinId: things.twinId },
    },
    signal,
  );
  await expect(whole(said)).rejects.toMatchObject({ code: "model_not_allowed" });
  expect(connections).toBe(before);
});

test("a model on this server is local; when it does not answer, the embedded engine does and says so", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dt-own-model-"));
  const whole = join(folder, "whole.gguf");
  const broken = join(folder, "broken.gguf");
  await writeTinyChatModel(whole);
  // The file begins like a model and is truncated.
  await writeFile(broken, (await readFile(whole)).subarray(0, 20_000));
  const files = { embedder: null, reranker: null, threads: 1, contextTokens: 4096 };
  const modelFiles = {
    ...files,
    generator: broken,
    timeoutSeconds: 5,
    embeddingTimeoutMs: 300,
    rerankerTimeoutMs: 300,
  };
  const own = await testApp({ modelFiles });
  try {
    const asker = await own.signUp();
    const made = await makeThings(own, asker);
    const rule = `/api/organizations/${asker.caller.organizationId}/model-rule`;
    const allowed = { model: { host: null, local: true }, search: null, engine: "llm" };
    expect((await asker.put(rule, { localOnly: true })).json()).toEqual({ localOnly: true, ...allowed });
    const answer = await asker.post("/api/ai-generate", { twinId: made.twinId, message: "Сколько стоит доставка?" });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().response).toContain("рублей");
    expect(answer.json().reason).toMatch(/^Модель не ответила, двойник ответил сам по документам\. /);
  } finally {
    await own.close();
    await rm(folder, { recursive: true });
  }
  // The model's process must have a lower priority than everything else on the machine.
});

test("a host that the operator has named is local, in any letter case and on any port", () => {
  const { localModelHosts: usual } = readConfig({ NODE_ENV: "test" });
  for (const url of [
    "http://localhost:11434/v1",
    "http://127.0.0.1:8080/v1",
    "http://[::1]:1/v1",
    "http://LOCALHOST/v1",
  ])
    expect(isLocalModel(url, usual)).toBe(true);
  for (const url of [
    "http://10.0.0.5/v1",
    "https://api.example.com/v1",
    "http://localhost.example.com/v1",
    "http://ollama:1/v1",
  ])
    expect(isLocalModel(url, usual)).toBe(false);
  const { localModelHosts } = readConfig({ NODE_ENV: "test", LOCAL_MODEL_HOSTS: " Ollama , 10.0.0.5" });
  expect(localModelHosts).toEqual(["ollama", "10.0.0.5"]);
  expect(isLocalModel("http://ollama:11434/v1", localModelHosts)).toBe(true);
});
