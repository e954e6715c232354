/** A confirmed fact is found in other words as well, where meanings are known: like every correction. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { ChatFacts } from "#contract/chat-facts.ts";
import { learnLessons } from "#server/corrections/learn-lessons.ts";
import { asTenant } from "#server/db/database.ts";
import { twins } from "#server/db/schema.ts";
import { learnMeanings } from "#server/search/meaning/learn-meanings.ts";
import { startEmbeddingServer } from "#server/test/embedding-server.ts";
import { storeLetters } from "#server/test/stored-letters.ts";
import { testApp } from "#server/test/test-app.ts";
import { findFacts } from "./find-facts.ts";

const ASKED = "Сколько стоит чистка снега у входа?";
/** No word of the one is in the other but what asks for a price. */
const REWORDED = "Сколько стоит разгрести сугробы возле крыльца?";

test("confirming asks for the meaning of the question, and the question in other words is answered with the fact", async () => {
  const server = await startEmbeddingServer(Array(8).fill([ASKED, REWORDED]));
  const embedding = { baseUrl: server.baseUrl, apiKey: "k", model: "m1", timeoutMs: 60_000, dailyTokens: 1_000_000 };
  const t = await testApp({ embedding });
  await t.services.jobs.stop(2000);
  try {
    const client = await t.signUp();
    const made = await client.post("/api/digital-twins", {
      name: "Дом",
      description: "Отвечает жильцам дома",
      personality: "Внимательная, спокойная, шутит редко",
      communicationStyle: "Коротко и по делу",
      knowledgeArea: "Дом и двор",
    });
    const twinId: string = made.json().id;
    const data = { ...client.viewer, twinId };
    await asTenant(t.services.db, client.viewer, (tx) =>
      storeLetters(tx, data, [{ name: "Олег", incoming: ASKED, reply: "900 рублей за раз", audience: "own" }]),
    );
    const { signal } = new AbortController();
    await findFacts(t.services, data, signal);
    const base = `/api/digital-twins/${twinId}/chat-facts`;
    const [fact] = (await client.get(base)).json<ChatFacts>().facts;
    const decision = { decision: "confirm", question: ASKED, text: "900 рублей за раз" };
    expect((await client.put(`${base}/${fact!.variants[0]!.id}`, decision)).statusCode).toBe(204);
    const [twin] = await asTenant(t.services.db, data, (tx) => tx.select().from(twins).where(eq(twins.id, twinId)));
    expect(twin!.meaningModel).toBe("m1");
    await learnMeanings({ ...t.services, pause: async () => {} }, data, signal, { lessons: learnLessons });
    const colleague = await t.signUp({ role: "user", organizationId: client.viewer.organizationId });
    const answer = (await colleague.post("/api/ai-generate", { twinId, message: REWORDED })).json();
    expect(answer.response).toContain("900 рублей");
    expect(answer.sources).toMatchObject([{ name: "Подтверждённые факты" }]);
  } finally {
    await t.close();
    await server.close();
  }
});
