import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Correction, CorrectionPreview } from "#contract/corrections.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { CONFIDENT } from "#server/inbox/conversation-control/answer-policy.ts";
import { learnEmbeddings } from "#server/knowledge/embeddings/learn-embeddings.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { storeLetters } from "#server/test/factories/stored-letters.ts";
import { HOUSE_TWIN } from "#server/test/factories/twin-input.ts";
import { type EmbeddingServer, startEmbeddingServer } from "#server/test/servers/embedding-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { embedCorrections } from "./embed-corrections.ts";

/** The two questions have no word in common. */
const CORRECTED = "Кто чистит снег у входа?";
const REWORDED = "Сугробы возле крыльца чья забота?";
const OTHER_DAY = "Сугробы возле крыльца чья забота в субботу?";
const FAR = "Какой телефон у слесаря?";
const ANSWER = "Снег убирает бригада, звоните диспетчеру.";

let server: EmbeddingServer;
let t: TestApp;
beforeAll(async () => {
  // Texts of a group have the same embedding, closer than most related texts.
  const alike = [CORRECTED, REWORDED, OTHER_DAY];
  server = await startEmbeddingServer(Array(8).fill(alike));
  t = await testApp({
    embedding: { baseUrl: server.baseUrl, apiKey: "k", model: "m1", timeoutMs: 60_000, dailyTokens: 1_000_000 },
  });
  // The tests run the jobs themselves.
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

async function taught(rewordings: string[] = []) {
  const client = await t.signUp();
  const twinId = await buildTwin(client, HOUSE_TWIN);
  const ask = async (message: string) => (await client.post("/api/ai-generate", { twinId, message })).json();
  const base = `/api/digital-twins/${twinId}/corrections`;
  const { messageId } = await ask(CORRECTED);
  const from = { kind: "message", id: messageId };
  const correction = { kind: "example", question: CORRECTED, rewordings, text: ANSWER, rules: [], scope: "everybody" };
  const accepted = await client.post(base, { from, ...correction });
  expect(accepted.statusCode, accepted.body).toBe(201);
  const { organizationId, userId } = client.caller;
  const data = { organizationId, userId, twinId };
  return {
    client,
    data,
    ask,
    correction: accepted.json<Correction>(),
    learn: (signal = calm) =>
      learnEmbeddings({ ...t.services, pause: async () => {} }, data, signal, { corrections: embedCorrections }),
    train: () => trainTwin(t.services, data, calm),
    preview: async (question: string, others: string[] = []) =>
      (await client.post(`${base}/preview`, { question, rewordings: others })).json<CorrectionPreview>(),
    state: async () => (await client.get(`/api/digital-twins/${twinId}/training`)).json(),
  };
}
const calm = new AbortController().signal;

test("a rewording without a common word gets the corrected answer as a draft for the owner", async () => {
  const dom = await taught();
  expect((await dom.ask(REWORDED)).basis).not.toBe("corrected");
  await dom.learn();
  const reply = await dom.ask(REWORDED);
  expect(reply).toMatchObject({ basis: "corrected", response: ANSWER });
  expect(reply.confidence).toBeLessThan(CONFIDENT);
  // The embeddings are equal; only the day distinguishes the questions.
  expect((await dom.ask(OTHER_DAY)).basis).not.toBe("corrected");
  expect((await dom.ask(FAR)).basis).not.toBe("corrected");
  expect(await dom.ask(CORRECTED)).toMatchObject({ basis: "corrected", confidence: 0.98 });
  expect(await dom.state()).toMatchObject({ embeddings: { units: 1, total: 1 } });
});

test("no corrected question is embedded twice, neither after a failure nor by another run", async () => {
  const dom = await taught(["Где лопата для снега?"]);
  server.usual = { kind: "error", status: 503 };
  await expect(dom.learn()).rejects.toThrow();
  server.usual = { kind: "ok" };
  server.requests.length = 0;
  await dom.learn();
  expect(server.requests.flatMap(({ input }) => input)).toEqual([CORRECTED, "Где лопата для снега?"]);
  await dom.learn();
  expect(server.requests).toHaveLength(1);
});

test("a rewording that the owner has named is recognised by its words without any embeddings", async () => {
  const named = "В каком углу стоит лопата?";
  const dom = await taught([named]);
  expect(dom.correction.rewordings).toEqual([named]);
  expect(await dom.ask(named)).toMatchObject({ basis: "corrected", response: ANSWER });
});

test("before a correction is accepted it shows which past questions it will answer and which near ones it will not", async () => {
  const dom = await taught();
  await dom.ask(REWORDED);
  await dom.ask(OTHER_DAY);
  await dom.ask(FAR);
  await asTenant(t.services.db, dom.data, (tx) =>
    storeLetters(tx, dom.data, [
      { name: "Анна", audience: "own", incoming: "кто у входа чистит снег", reply: "бригада" },
      { name: "Анна", audience: "own", incoming: "Кто чистит ковры у входа в лифт?", reply: "уборщица" },
    ]),
  );
  await dom.train();
  const seen = await dom.preview(CORRECTED);
  expect(seen.byEmbedding).toBe(true);
  expect(seen.caught.toSorted()).toEqual([REWORDED, "кто у входа чистит снег"].toSorted());
  expect(seen.missed).toEqual(["Кто чистит ковры у входа в лифт?"]);
  // A question about another day is related but different, although all other words are equal.
  expect(await dom.preview(FAR, [OTHER_DAY])).toMatchObject({
    caught: [],
    missed: expect.arrayContaining([REWORDED]),
  });
  server.usual = { kind: "error", status: 503 };
  const byWords = await dom.preview("Кто чистит снег у самого входа?");
  expect(byWords).toMatchObject({ byEmbedding: false, caught: expect.arrayContaining(["кто у входа чистит снег"]) });
});
