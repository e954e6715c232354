import { randomUUID } from "node:crypto";
import { count, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Reply } from "#contract/conversations/conversations.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { processInbox } from "#server/inbox/answering/process-inbox.ts";
import { CONFIDENT } from "#server/inbox/conversation-control/answer-policy.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { openTwinIndex } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { embeddings } from "#server/platform/db/schema/public-replies.ts";
import { dailyUsage } from "#server/platform/db/schema/twins.ts";
import { createLog } from "#server/platform/log.ts";
import { storeLetters } from "#server/test/factories/stored-letters.ts";
import { HOUSE_TWIN } from "#server/test/factories/twin-input.ts";
import { type EmbeddingServer, startEmbeddingServer } from "#server/test/servers/embedding-server.ts";
import { startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { createEmbedder } from "./embedder.ts";
import { learnEmbeddings, resumeEmbeddings } from "./learn-embeddings.ts";
import type { LearnDeps } from "./learning.ts";
import { createQueryEmbedder, type QueryEmbedder } from "./query-embedder.ts";
import type { Audience } from "./twin-units.ts";

/** The texts share no word and no four-letter sequence. */
const CHUNK = "Зимний режим: сугробы возле крыльца убирает бригада дворников.";
const ASKED = "Кто чистит снег у входа?";
const PRIVATE = "Ключи от гаража лежат под ковриком?";
const NEAR_PRIVATE = "Где спрятан доступ в бокс машины?";

let server: EmbeddingServer;
let t: TestApp;
const embedding = () => ({
  baseUrl: server.baseUrl,
  apiKey: "k",
  model: "m1",
  timeoutMs: 60_000,
  dailyTokens: 1_000_000,
});

beforeAll(async () => {
  server = await startEmbeddingServer([
    [CHUNK, ASKED],
    [PRIVATE, NEAR_PRIVATE],
  ]);
  t = await testApp({ embedding: embedding() });
  // The tests call the jobs themselves.
  await t.services.jobs.stop(2000);
});
afterAll(async () => {
  await t.close();
  await server.close();
});
afterEach(() => {
  server.usual = { kind: "ok" };
  server.requests.length = 0;
});

interface Owner {
  client: TestClient;
  twinId: string;
  contacts: Record<string, number>;
  train(): Promise<void>;
  learn(changes?: Partial<LearnDeps>, signal?: AbortSignal): Promise<void>;
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  state(): Promise<{ status: string; error: string | null; embeddings: unknown }>;
  learnt(): Promise<number>;
}

const ABOUT = { ...HOUSE_TWIN, name: "Двойник" };
const calm = new AbortController().signal;
const atOnce = async () => {};

/** Creates a twin with two documents, and messages of Анна and Борис. */
async function owner(): Promise<Owner> {
  const client = await t.signUp();
  const twin = await client.post("/api/digital-twins", ABOUT);
  const twinId = twin.json().id as string;
  for (const [name, content] of [
    ["Двор", CHUNK],
    ["Лифт", "Подъёмник проверяют каждый месяц, в эти часы он стоит и не возит никого наверх."],
  ] as const)
    await client.post("/api/knowledge/upload", { digitalTwinId: twinId, name, type: "faq", content });
  const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, client.caller, work);
  const { organizationId, userId } = client.caller;
  const data = { organizationId, userId, twinId };
  const contacts = await run((tx) =>
    storeLetters(tx, data, [
      { name: "Борис", audience: "own", incoming: PRIVATE, reply: "да, под зелёным, код 4411" },
      { name: "Анна", audience: "own", incoming: "Во сколько собрание жильцов?", reply: "в семь вечера" },
      { name: "Анна", audience: "own", incoming: "ок", reply: "ага" },
    ]),
  );
  return {
    client,
    twinId,
    contacts,
    run,
    train: () => trainTwin(t.services, data, calm),
    learn: (changes = {}, signal = calm) => learnEmbeddings({ ...t.services, pause: atOnce, ...changes }, data, signal),
    state: async () => (await client.get(`/api/digital-twins/${twinId}/training`)).json(),
    learnt: async () => {
      const rows = await run((tx) => tx.select({ n: count() }).from(embeddings).where(eq(embeddings.twinId, twinId)));
      return rows[0]!.n;
    },
  };
}

async function trained(): Promise<Owner> {
  const ann = await owner();
  await ann.train();
  await ann.learn();
  return ann;
}

const another = (changes: Partial<ReturnType<typeof embedding>>, now?: () => number): QueryEmbedder => {
  const settings = { ...embedding(), ...changes };
  const { timeoutMs } = settings;
  return createQueryEmbedder(createEmbedder(settings), {
    timeoutMs,
    inDatabase: false,
    log: createLog("silent"),
    ...(now && { now }),
  });
};

const find = async (
  ann: Owner,
  query: string,
  audience: Audience,
  queryEmbedder: QueryEmbedder | null = t.services.queryEmbedder,
) => {
  const queryEmbedding = (await queryEmbedder?.of(query)) ?? null;
  return ann.run(async (tx) => {
    const index = await openTwinIndex(tx, ann.twinId);
    const about = { audience, query, limit: 5, queryEmbedding };
    return {
      chunks: await index.search({ ...about, kinds: ["chunk"] }),
      replyExamples: await index.search({ ...about, kinds: ["example"] }),
    };
  });
};

test("what a twin has learnt by meaning has its open questions asked again, and a run that learns nothing does not", async () => {
  const ann = await owner();
  await ann.train();
  const { jobs } = t.services;
  const enqueued: string[] = [];
  const noted = {
    ...jobs,
    enqueue: async (...[tx, name, data, at]: Parameters<typeof jobs.enqueue>) => {
      enqueued.push(name);
      return jobs.enqueue(tx, name, data, at);
    },
  };
  await ann.learn({ jobs: noted });
  expect(enqueued).toEqual(["close-gaps"]);
  await ann.learn({ jobs: noted });
  expect(enqueued).toEqual(["close-gaps"]);
});

test("a question in other words is found and answered by a quotation, for its meaning is only near", async () => {
  const ann = await owner();
  await ann.train();
  const ask = async () =>
    (await ann.client.post("/api/ai-generate", { twinId: ann.twinId, message: ASKED })).json<Reply>();
  expect(await ask()).toMatchObject({ basis: "unknown", sources: [] });
  expect(await ann.state()).toMatchObject({ status: "ready", embeddings: { ready: false, units: 0, error: null } });

  await ann.learn();
  expect(await ann.state()).toMatchObject({ embeddings: { ready: true, units: 4, error: null } });
  const reply = await ask();
  expect(reply).toMatchObject({ basis: "quoted", sources: [{ name: "Двор" }] });
  expect(reply.response).toContain("убирает бригада дворников");
  expect(reply.confidence).toBeLessThan(CONFIDENT);
  const hits = (await ann.client.get(`/api/digital-twins/${ann.twinId}/search?q=${encodeURIComponent(ASKED)}`)).json();
  // The other document is always second nearest, but it is not similar enough and must not be shown.
  expect(hits).toMatchObject([{ kind: "document", name: "Двор", byEmbedding: true, text: CHUNK }]);
  expect((await find(ann, ASKED, { kind: "owner" }, null)).chunks).toEqual([]);
});

test("one contact's question and answer are found for no other contact, however similar they are", async () => {
  const ann = await trained();
  const { Анна, Борис } = ann.contacts as { Анна: number; Борис: number };
  const seen = async (audience: Audience) =>
    (await find(ann, NEAR_PRIVATE, audience)).replyExamples.filter(({ reply }) => reply.includes("4411"));
  expect(await seen({ kind: "contact", contactId: Борис })).toMatchObject([{ incoming: PRIVATE, score: 1 }]);
  expect(await seen({ kind: "owner" })).toHaveLength(1);
  for (const audience of [
    { kind: "contact", contactId: Анна },
    { kind: "member" },
    { kind: "stranger" },
  ] satisfies Audience[])
    expect(await seen(audience), audience.kind).toEqual([]);
});

/** Returns the outcome for a contact's message in a new channel. */
async function heard(ann: Owner, text: string, changes: { autonomy?: "confident"; generator?: Generator } = {}) {
  const made = await ann.client.post("/api/integrations/create", {
    digitalTwinId: ann.twinId,
    platform: "telegram",
    apiKey: `123456:${randomUUID()}`,
  });
  const integrationId = made.json().id as string;
  const { organizationId, userId } = ann.client.caller;
  const { autonomy = "draft", generator = t.services.generator } = changes;
  await ann.run((tx) => tx.update(integrations).set({ autonomy }).where(eq(integrations.id, integrationId)));
  await storeInbound(
    t.services,
    { id: integrationId, organizationId, userId },
    {
      eventId: "1",
      conversation: "5",
      position: 1,
      peer: { id: "user5", name: "Иван" },
      text,
      attachments: [],
      sentAt: new Date().toISOString(),
      automated: false,
    },
  );
  const job = { organizationId, userId, integrationId, conversationKey: "5" };
  // A client is watching, so the end of the burst is not awaited.
  await processInbox({ ...t.services, generator }, job, calm, { begins: () => {}, delta: () => {} });
  return (await ann.client.get("/api/approvals")).json() as { text: string; confidence: number }[];
}

test("a contact's message in a channel is understood by its embedding, and the answer waits for the owner", async () => {
  const drafts = await heard(await trained(), ASKED);
  expect(drafts).toMatchObject([{ question: ASKED, state: "draft" }]);
  expect(drafts[0]!.text).toContain("убирает бригада дворников");
  expect(drafts[0]!.confidence).toBeLessThan(CONFIDENT);
});

test("an answer of a model that admits not knowing has low confidence, whatever was found", async () => {
  const ann = await owner();
  await ann.train();
  const model = await startOpenAiServer({ text: "Каждый месяц." });
  const generator = llmGenerator({ baseUrl: model.baseUrl, model: "m" });
  const question = "Когда проверяют подъёмник?";
  try {
    expect(await heard(ann, question, { autonomy: "confident", generator })).toEqual([]);
    model.script({ kind: "ok", text: "К сожалению, этого не знаю." });
    expect(await heard(ann, question, { autonomy: "confident", generator })).toMatchObject([
      { question, text: "К сожалению, этого не знаю.", reason: "Двойник не знает ответа", state: "draft" },
    ]);
  } finally {
    await model.close();
  }
});

test("no text is embedded twice: neither after a kill, nor when it comes again, nor by another run", async () => {
  const ann = await owner();
  await ann.train();
  const stopped = new AbortController();
  server.script({ kind: "ok" }, { kind: "hang" });
  const running = ann.learn({}, stopped.signal);
  await server.received(2);
  stopped.abort(new Error("killed"));
  await expect(running).rejects.toThrow();
  expect(await ann.learnt()).toBe(2);
  await ann.learn();
  await ann.run((tx) =>
    storeLetters(tx, { ...ann.client.caller, twinId: ann.twinId }, [
      { name: "Вера", audience: "own", incoming: PRIVATE, reply: "спроси Бориса" },
    ]),
  );
  await ann.learn();
  expect(await ann.learnt()).toBe(5);
  const asked = server.requests.flatMap(({ input }) => input);
  // The request that hung was repeated; «ок» has no meaning to search for.
  expect(asked.toSorted()).toEqual([...new Set(asked), ...server.requests[1]!.input].toSorted());
  expect(asked).toHaveLength(4 + server.requests[1]!.input.length);
  expect(server.requests[0]!.authorization).toBe("Bearer k");
});

test("a failing embeddings server leaves the twin ready, is asked again later, and the problem is shown", async () => {
  const ann = await owner();
  const waits: number[] = [];
  const pause = async (seconds: number) => {
    waits.push(seconds);
  };
  await ann.train();
  server.script({ kind: "error", status: 429, retryAfter: 7 }, { kind: "error", status: 500 }, { kind: "one-too-few" });
  await ann.learn({ pause });
  expect(waits).toEqual([7, 3, 9]);
  expect(await ann.state()).toMatchObject({ status: "ready", embeddings: { ready: true, units: 4 } });

  const away = await owner();
  await away.train();
  server.usual = { kind: "error", status: 503 };
  await expect(away.learn({ pause })).rejects.toThrow("HTTP 503");
  expect(await away.state()).toMatchObject({
    status: "ready",
    error: null,
    embeddings: { ready: false, error: "Сервер эмбеддингов не отвечает. Мы попробуем ещё раз." },
  });
  server.usual = { kind: "error", status: 401 };
  server.requests.length = 0;
  // A retry is useless, because the key must be changed.
  await away.learn({ pause });
  expect(server.requests).toHaveLength(1);
  expect((await away.state()).embeddings).toMatchObject({ error: "Сервер эмбеддингов не принял ключ доступа." });
  server.usual = { kind: "redirect", to: "http://127.0.0.1:9/v1/embeddings" };
  await expect(away.learn({ pause })).rejects.toThrow();
});

test("another model learns everything again; a deleted document, pair or twin leaves no vector", async () => {
  const ann = await trained();
  const other = another({ model: "m2" });
  expect((await find(ann, ASKED, { kind: "owner" }, other)).chunks).toEqual([]);
  await resumeEmbeddings({ ...t.services, queryEmbedder: other });
  await ann.learn({ queryEmbedder: other });
  expect(await ann.learnt()).toBe(4);
  expect((await find(ann, ASKED, { kind: "owner" }, other)).chunks[0]).toMatchObject({ documentName: "Двор" });
  expect((await find(ann, ASKED, { kind: "owner" })).chunks).toEqual([]);

  const documents = (await ann.client.get("/api/knowledge/documents")).json() as { id: string; name: string }[];
  await ann.client.delete(`/api/knowledge/documents/${documents.find(({ name }) => name === "Двор")!.id}`);
  expect((await find(ann, ASKED, { kind: "owner" }, other)).chunks).toEqual([]);
  expect(await ann.learnt()).toBe(3);
  await ann.client.delete(`/api/digital-twins/${ann.twinId}`);
  expect(await ann.learnt()).toBe(0);
  // A leftover job finds nothing to do.
  await ann.learn();
});

test("the daily limit of tokens is kept, and the rest is learnt the next day", async () => {
  const ann = await owner();
  await ann.train();
  const config = { embedding: { dailyTokens: 30 } };
  await ann.learn({ config });
  expect(await ann.learnt()).toBe(1);
  expect((await ann.state()).embeddings).toMatchObject({
    ready: false,
    error: "Дневной предел токенов исчерпан: остальное двойник выучит завтра.",
  });
  const [usage] = await ann.run((tx) => tx.select().from(dailyUsage).where(eq(dailyUsage.twinId, ann.twinId)));
  expect(usage!.embeddingTokens).toBe(server.requests.flatMap(({ input }) => input).join("").length);
  await ann.learn({ config });
  expect(server.requests).toHaveLength(1);
});

const times = (text: string) => server.requests.filter(({ input }) => input.includes(text)).length;

test("a question waits for its embedding only for a limited time, and a failing server is left alone for a while", async () => {
  let now = 0;
  const queryEmbedder = another({ timeoutMs: 40 }, () => now);
  server.usual = { kind: "hang" };
  for (const text of ["раз", "два", "три"]) expect(await queryEmbedder.of(`${text} ${randomUUID()}`)).toBeNull();
  expect(await queryEmbedder.of("четыре")).toBeNull();
  expect(times("четыре")).toBe(0);
  now = 30_001;
  server.usual = { kind: "ok" };
  const patient = another({}, () => now);
  expect(await patient.of(ASKED)).toMatchObject({ model: "m1" });
  expect(await patient.of(ASKED)).not.toBeNull();
  expect(times(ASKED)).toBe(1);
});

test("phone numbers and the like are hidden from a foreign server", async () => {
  const embedder = createEmbedder({ ...embedding(), foreign: true });
  await embedder.embed(["Мой номер +7 916 123-45-67"], calm);
  const sent = server.requests.flatMap(({ input }) => input).find((text) => text.startsWith("Мой номер"));
  expect(sent).toMatch(/^Мой номер \[PHONE_1_/);
});
