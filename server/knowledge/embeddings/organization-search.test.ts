/** An organisation's twins search by meaning through its own provider: offered, switched on, learnt, and switched back. */
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { RemoteSearch } from "#contract/models/remote-search.ts";
import type { TrainingState } from "#contract/twins.ts";
import { withModels } from "#server/answers/replies/models.ts";
import { rowOf } from "#server/models/remote/settings.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type EmbeddingServer, startEmbeddingServer } from "#server/test/servers/embedding-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { learnEmbeddings } from "./learn-embeddings.ts";

const CHUNK = "Зимний режим: сугробы возле крыльца убирает бригада дворников.";
const ASKED = "Кто чистит снег у входа?";

let server: EmbeddingServer;
let t: TestApp;
/** The installation's administrator, who may name addresses of this machine. */
let owner: TestClient;
let twinId: string;
beforeAll(async () => {
  server = await startEmbeddingServer([[CHUNK, ASKED]]);
  server.models = [
    { id: "big-chat" },
    { id: "text-embedding-3-small" },
    { id: "BAAI/bge-m3" },
    { id: "typed", type: "embedding" },
  ];
  t = await testApp({ localModelHosts: [] });
  owner = await t.signUp({ superAdmin: true });
  twinId = await buildTwin(owner);
  await buildDocument(owner, twinId, CHUNK);
  await t.jobsIdle();
});
afterAll(async () => {
  await t.close();
  await server.close();
});
afterEach(async () => {
  server.usual = { kind: "ok" };
  await owner.delete(address());
  await t.jobsIdle();
  server.requests.length = 0;
});

const address = () => `/api/organizations/${owner.caller.organizationId}/remote-model`;
async function connect(changes: Record<string, unknown> = {}): Promise<void> {
  const answer = await owner.put(address(), {
    ...{ preset: "compatible", baseUrl: server.baseUrl, model: "big-chat", apiKey: "key", currency: "RUB" },
    ...{ enabled: true, ...changes },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}
const state = async () => (await owner.get(`${address()}/search`)).json<RemoteSearch>();
const offered = async () => (await owner.get(`${address()}/search/models`)).json<{ models: string[] }>().models;
const set = (model: string) => owner.put(`${address()}/search`, { model });
const training = async () => (await owner.get(`/api/digital-twins/${twinId}/training`)).json<TrainingState>();
const embedder = async () => (await withModels(t.services, owner.caller)).queryEmbedder;
const found = async () => {
  const hits = await owner.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent(ASKED)}`);
  return JSON.stringify(hits.json()).includes("дворников");
};

test("is offered with the models that the provider names, learnt by all twins, and given back by one call", async () => {
  expect(await offered()).toEqual([]);
  expect((await set("text-embedding-3-small")).json()).toMatchObject({ code: "search_without_model" });
  await connect();
  expect(await offered()).toEqual(["text-embedding-3-small", "BAAI/bge-m3", "typed"]);
  const before = await state();
  expect(before).toMatchObject({ model: null, ofInstallation: false, twins: { ready: 0, all: 1 }, error: null });
  expect(before.tokens).toBeGreaterThan(CHUNK.length / 4);
  expect([await embedder(), await found(), server.requests.length]).toEqual([null, false, 0]);

  const begun = await set("text-embedding-3-small");
  expect(begun.statusCode, begun.body).toBe(200);
  expect(begun.json()).toMatchObject({ model: "text-embedding-3-small" });
  await t.jobsIdle();
  expect(await state()).toMatchObject({ twins: { ready: 1, all: 1 }, error: null });
  expect((await training()).embeddings).toMatchObject({ ready: true, error: null });
  expect(server.requests.every(({ authorization }) => authorization === "Bearer key")).toBe(true);
  expect(server.requests.flatMap(({ input }) => input).join("\n")).toContain("сугробы");
  expect((await embedder())!.embedder.model).toBe("text-embedding-3-small");
  expect(await found()).toBe(true);

  // Corrections that follow are learnt too, though the installation has no model.
  server.requests.length = 0;
  await buildDocument(owner, twinId, "Подъёмник проверяют каждый месяц, в эти часы он стоит и никого не возит.");
  await t.jobsIdle();
  expect(server.requests.flatMap(({ input }) => input).join("\n")).toContain("Подъёмник");

  expect((await owner.delete(`${address()}/search`)).statusCode).toBeLessThan(300);
  expect([(await state()).model, await embedder(), await found()]).toEqual([null, null, false]);
  expect((await training()).embeddings).toBeNull();
  const audited = await t.services.db.select().from(auditLog).where(eq(auditLog.action, "remote-search-set"));
  expect(audited.map(({ detail }) => (detail as { status: string }).status)).toEqual(["active", "inactive"]);
  // The vectors are still there.
  server.requests.length = 0;
  await set("text-embedding-3-small");
  await t.jobsIdle();
  expect((await state()).twins).toEqual({ ready: 1, all: 1 });
  expect(server.requests.flatMap(({ input }) => input).join("\n")).not.toContain("сугробы");
});

test.each([
  [404, "не знает такой модели для поиска"],
  [403, "не разрешает этому ключу"],
  [402, "закончились деньги"],
  [500, "не ответил"],
])("a provider that answers %d changes nothing and says why", async (status, sentence) => {
  await connect();
  server.usual = { kind: "error", status };
  const answer = await set("text-embedding-3-small");
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: "search_model_refused", message: expect.stringContaining(sentence) });
  expect([(await state()).model, await embedder()]).toEqual([null, null]);
});

test("a failure while the twins learn is shown, and the same call tries again", async () => {
  await connect();
  await set("text-embedding-3-small");
  server.usual = { kind: "error", status: 401 };
  await t.jobsIdle();
  await buildDocument(owner, twinId, "Ключи от подвала лежат у консьержа, он на месте с восьми утра до восьми вечера.");
  await t.jobsIdle();
  expect(await state()).toMatchObject({ error: "Сервер эмбеддингов не принял ключ доступа." });
  server.usual = { kind: "ok" };
  await set("text-embedding-3-small");
  await t.jobsIdle();
  expect(await state()).toMatchObject({ error: null, twins: { ready: 1, all: 1 } });
});

test("nothing goes to the provider under «только локальная модель», while the model is off, and after another server was named", async () => {
  await connect();
  await set("text-embedding-3-small");
  await t.jobsIdle();
  const rule = `/api/organizations/${owner.caller.organizationId}/model-rule`;
  await owner.put(rule, { localOnly: true });
  expect([await embedder(), await offered()]).toEqual([null, []]);
  expect((await set("text-embedding-3-small")).json()).toMatchObject({ code: "search_without_model" });
  expect((await training()).embeddings).toBeNull();
  await owner.put(rule, { localOnly: false });
  expect(await embedder()).not.toBeNull();
  await connect({ enabled: false });
  expect([await embedder(), (await state()).model]).toEqual([null, null]);
  await connect({ enabled: true });
  expect(await embedder()).not.toBeNull();
  await connect({ baseUrl: server.baseUrl.replace("127.0.0.1", "localhost") });
  expect([await embedder(), (await state()).model]).toEqual([null, null]);
});

test("a twin takes no more tokens a day than the screen says, and goes on tomorrow", async () => {
  await connect();
  await set("text-embedding-3-small");
  await t.jobsIdle();
  const { organizationId, userId } = owner.caller;
  const row = await asTenant(t.services.db, owner.caller, (tx) => rowOf(tx, organizationId, false));
  const another = t.services.organizationEmbedders.of(
    { ...row!, revision: "-", embeddingModel: "BAAI/bge-m3" },
    owner.caller,
  );
  expect(another!.dailyTokens).toBe((await state()).dailyTokens);
  const limited = { ...t.services, queryEmbedder: { ...another!, dailyTokens: 1 } };
  await learnEmbeddings(limited, { organizationId, userId, twinId }, new AbortController().signal);
  expect((await state()).error).toContain("Дневной предел токенов");
  // Tomorrow's job, which the other tests would wait for.
  await t.services.db.execute(sql`delete from jobs.job where name = 'learn-embeddings' and state = 'created'`);
});
