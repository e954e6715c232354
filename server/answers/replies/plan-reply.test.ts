import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { localReranker, type Reranker } from "#server/knowledge/search/reranker.ts";
import { TwinIndex } from "#server/knowledge/search/twin-index.ts";
import { ModelHost } from "#server/models/host/model-host.ts";
import { ConnectionHeld } from "#server/platform/db/connection-guard.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { createLog } from "#server/platform/log.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { HOUSE_TWIN } from "#server/test/factories/twin-input.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyReader } from "#server/test/models/tiny-model.ts";
import { type EmbeddingServer, startEmbeddingServer } from "#server/test/servers/embedding-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { withModels } from "./models.ts";
import { openTwin } from "./open-twin.ts";
import { planReply, planReplyAlone, type ReplyDeps } from "./plan-reply.ts";
import { prefetchQuestion } from "./prefetch-question.ts";
import { embeddedReply } from "./wording/embedded-reply.ts";

/** The texts have nearly the same meaning and no word in common. */
const WINTER = "Зимний режим: сугробы возле крыльца убирает бригада дворников.";
const SNOW = "Кто чистит снег у входа?";
const SAID: HistoryTurn[] = [
  { role: "user", content: "Сколько стоит доставка по Москве?" },
  { role: "assistant", content: "400 рублей." },
];
/** These sentences share equally many words with the question. */
const PLACES = ["Москве", "Туле", "Рязани", "Казани", "Твери"];
const DELIVERY = PLACES.map((place, at) => `Доставка по ${place} занимает ${at + 2} дня, заказы собираем каждое утро.`);
const HOW_LONG = "Сколько дней занимает доставка?";
const calm = new AbortController().signal;

let server: EmbeddingServer;
let t: TestApp;
let owner: TestClient;
let twinId: string;

beforeAll(async () => {
  server = await startEmbeddingServer([[WINTER, SNOW]]);
  const settings = { baseUrl: server.baseUrl, apiKey: "k", model: "m1", timeoutMs: 60_000, dailyTokens: 1_000_000 };
  t = await testApp({ embedding: settings });
  owner = await t.signUp();
  twinId = await buildTwin(owner, { ...HOUSE_TWIN, name: "Двойник" });
  for (const [at, content] of [WINTER, ...DELIVERY].entries()) {
    const document = { digitalTwinId: twinId, name: `Правила ${at + 1}`, type: "faq", content };
    const uploaded = await owner.post("/api/knowledge/upload", document);
    expect(uploaded.statusCode, uploaded.body).toBe(201);
  }
  await t.jobsIdle();
});
afterAll(async () => {
  await t.close();
  await server.close();
});

/** Models that query the database, which fails if the caller is inside a transaction. @param asked collects the embedded texts */
function outsideModels(asked: string[] = []): ReplyDeps {
  const { db } = t.services;
  const outside = () => db.execute(sql`select 1`);
  const queryEmbedder = {
    async of(text: string) {
      await outside();
      asked.push(text);
      return null;
    },
  } as unknown as QueryEmbedder;
  const reranker: Reranker = {
    async scores(question) {
      await outside();
      asked.push(question);
      return null;
    },
  };
  const generator: ReplyDeps["generator"] = {
    name: "embedded",
    async *generate(request) {
      await outside();
      yield embeddedReply(request);
    },
  };
  return { db, generator, queryEmbedder, reranker, localModels: null, remoteGenerators: null };
}

const incoming = (message: string, history: HistoryTurn[] = []) =>
  ({ message, history, audience: { kind: "stranger" }, seed: "1" }) as const;

/** @param byStatement as in the test chat, where each statement is a separate transaction */
async function planned(services: ReplyDeps, message: string, history: HistoryTurn[] = [], byStatement = false) {
  const question = incoming(message, [...history]);
  if (!byStatement) return planReplyAlone(services, owner.caller, twinId, question);
  const models = await withModels(services, owner.caller);
  const opened = await openTwin(eachAsTenant(models.db, owner.caller), owner.caller, twinId);
  return planReply(
    opened,
    question,
    await prefetchQuestion(models, owner.caller, { twinId, ...question }, opened.index),
  );
}

test("models are asked outside any transaction, with the question that the message means in its conversation", async () => {
  for (const byStatement of [true, false]) {
    const asked: string[] = [];
    const answer = await planned(outsideModels(asked), "а в Казань?", SAID, byStatement);
    expect(asked).toEqual(["Сколько стоит доставка в Казань?", "Сколько стоит доставка в Казань?"]);
    expect(await answer.whole(calm)).not.toBe("");
  }
});

test("generating a reply inside an open transaction is refused, so no caller can hold one while a model works", async () => {
  const models = outsideModels();
  const answer = await planned(models, SNOW);
  await expect(asTenant(models.db, owner.caller, () => answer.whole(calm))).rejects.toMatchObject({
    cause: expect.any(ConnectionHeld),
  });
});

test("a background answer that is planned inside a transaction is refused: it would hold the connection while it computes", async () => {
  const { db } = t.services;
  const asked = { ...incoming(SNOW), background: true };
  const prefetched = await prefetchQuestion(t.services, owner.caller, { twinId, ...asked });
  const held = asTenant(db, owner.caller, async (tx) =>
    planReply(await openTwin(tx, owner.caller, twinId), asked, prefetched),
  );
  await expect(held).rejects.toBeInstanceOf(ConnectionHeld);
  const opened = await openTwin(eachAsTenant(db, owner.caller), owner.caller, twinId);
  expect((await planReply(opened, asked, prefetched)).request.chunks.map(({ text }) => text)).toEqual([WINTER]);
});

test("what was found for another question than the one that is answered in the end is left out", async () => {
  const found = async (ahead: string, message: string) => {
    const prefetched = await prefetchQuestion(t.services, owner.caller, { twinId, ...incoming(ahead) });
    const answer = await asTenant(t.services.db, owner.caller, async (tx) =>
      planReply(await openTwin(tx, owner.caller, twinId), incoming(message), prefetched),
    );
    return answer.request.chunks.map(({ text }) => text);
  };
  expect(await found(SNOW, SNOW)).toEqual([WINTER]);
  expect(await found(SNOW, "Где вы находитесь?")).toEqual([]);
});

describe("a reranker", () => {
  /** Returns the places named by the chunks of an answer, in order. */
  async function places(reranker: Reranker | null, message = HOW_LONG, byStatement = false): Promise<string[]> {
    const models = { ...t.services, queryEmbedder: null, reranker };
    const answer = await planned(models, message, [], byStatement);
    return answer.request.chunks.flatMap(({ text }) => PLACES.filter((place) => text.includes(place)));
  }
  /** A reranker that prefers the chunk with this place for any question. */
  const favours = (place: string): Reranker => ({
    scores: async (_question, texts) => texts.map((text) => (text.includes(place) ? 0.9 : 0.1)),
  });

  test("brings what it finds likeliest to the front and leaves the rest in the order of the search", async () => {
    const plain = await places(null);
    expect(plain.length).toBeGreaterThan(2);
    for (const byStatement of [false, true]) {
      for (const place of plain) {
        const given = await places(favours(place), HOW_LONG, byStatement);
        expect(given).toEqual([place, ...plain.filter((one) => one !== place)]);
      }
    }
  });

  test("that fails or is late leaves the order as it was", async () => {
    const plain = await places(null);
    expect(await places({ scores: async () => null })).toEqual(plain);
  });

  test("is not asked for a greeting, and without a reranker no further search is made", async () => {
    const search = vi.spyOn(TwinIndex.prototype, "searchAll");
    try {
      for (const [reranker, message, searches] of [
        [null, HOW_LONG, 1],
        [favours("Туле"), HOW_LONG, 2],
        [favours("Туле"), "Привет!", 1],
      ] as const) {
        search.mockClear();
        await places(reranker, message);
        expect(search).toHaveBeenCalledTimes(searches);
      }
    } finally {
      search.mockRestore();
    }
  });

  test("can be the model file on this machine, whose process may end at any moment without costing a reply", async (context) => {
    const missing = noLlama();
    if (missing !== null) return context.skip(missing);
    const folder = await mkdtemp(join(tmpdir(), "dt-reranker-"));
    const path = join(folder, "reranker-tiny.gguf");
    await writeTinyReader(path);
    const log = createLog("silent");
    const load = { generator: null, embedder: null, reranker: { path, contextTokens: 512 }, threads: 1 };
    const host = new ModelHost({ load, memoryBytes: 2e9, log, limits: { priority: 0 } });
    try {
      const local = localReranker({ host, timeoutMs: 60_000, log });
      const seen = new Map<string, number>();
      const reranker: Reranker = {
        async scores(question, texts, asker) {
          const scores = await local.scores(question, texts, asker);
          for (const [at, score] of (scores ?? []).entries()) seen.set(texts[at]!, score);
          return scores;
        },
      };
      const given = await places(reranker);
      const [likeliest] = [...seen].sort((one, other) => other[1] - one[1]);
      expect(new Set(seen.values()).size).toBeGreaterThan(1);
      expect(likeliest![0]).toContain(given[0]);
      process.kill(host.pid!, "SIGKILL");
      expect((await places(reranker)).length).toBe(given.length);
    } finally {
      await host.end();
      await rm(folder, { recursive: true });
    }
  });
});
