import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { chunks } from "#server/platform/db/schema/knowledge.ts";
import { type EmbeddingServer, startEmbeddingServer } from "#server/test/servers/embedding-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { learnEmbeddings } from "./learn-embeddings.ts";
import { pieceSimilarities } from "./learn-pieces.ts";

const SNOW = "Сугробы возле крыльца убирает бригада дворников.";
const ASKED = "Кто чистит снег у входа?";
const TEXT = `${SNOW} Подъёмник проверяют каждый месяц. Ключи выдаёт диспетчер под подпись.`;

let server: EmbeddingServer;
let t: TestApp;
beforeAll(async () => {
  server = await startEmbeddingServer([[SNOW, ASKED]]);
  t = await testApp({
    embedding: { baseUrl: server.baseUrl, apiKey: "k", model: "m1", timeoutMs: 60_000, dailyTokens: 1_000_000 },
  });
  await t.services.jobs.stop(2000);
});
afterAll(async () => {
  await t.close();
  await server.close();
});

test("each piece of a chunk is learnt once, an interrupted run continues, and the vectors tell which piece is meant", async () => {
  const client = await t.signUp();
  const about = {
    name: "Дом",
    description: "Отвечает жильцам дома",
    personality: "Внимательная, спокойная, шутит редко",
    communicationStyle: "Коротко и по делу",
  };
  const twinId: string = (await client.post("/api/digital-twins", { ...about, knowledgeArea: "Дом и двор" })).json().id;
  await client.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "Двор", type: "faq", content: TEXT });
  const { organizationId, userId } = client.caller;
  const data = { organizationId, userId, twinId };
  const calm = new AbortController().signal;
  await trainTwin(t.services, data, calm);
  const piecesOf = (text: string) => text.split(/(?<=\.)\s/);
  const deps = { ...t.services, pause: async () => {} };
  // The server fails after the chunk and before its pieces.
  server.script({ kind: "ok" }, { kind: "error", status: 401 });
  const inputs = () => server.requests.map(({ input }) => input);
  await learnEmbeddings(deps, data, calm, { piecesOf });
  expect(inputs().map((texts) => texts.length)).toEqual([1, 3]);
  server.requests.length = 0;
  await learnEmbeddings(deps, data, calm, { piecesOf });
  expect(server.requests.map(({ input }) => input.length)).toEqual([3]);
  expect(server.requests[0]!.input[0]).toContain(`Двор. ${SNOW}`);
  await learnEmbeddings(deps, data, calm, { piecesOf });
  expect(server.requests).toHaveLength(1);

  const queryEmbedding = (await t.services.queryEmbedder!.of(ASKED))!;
  const near = await asTenant(t.services.db, data, async (tx) => {
    const [row] = await tx.select({ id: chunks.id }).from(chunks).where(eq(chunks.twinId, twinId));
    return (await pieceSimilarities(tx, [row!.id], queryEmbedding)).get(row!.id)!;
  });
  expect(near).toHaveLength(3);
  expect(near.indexOf(Math.max(...near))).toBe(0);
});
