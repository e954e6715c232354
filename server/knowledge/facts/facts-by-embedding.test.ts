/** With embeddings a confirmed fact is also found by paraphrases, like every correction. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { ChatFacts } from "#contract/knowledge/chat-facts.ts";
import { embedCorrections } from "#server/knowledge/corrections/embed-corrections.ts";
import { learnEmbeddings } from "#server/knowledge/embeddings/learn-embeddings.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { storeLetters } from "#server/test/factories/stored-letters.ts";
import { HOUSE_TWIN } from "#server/test/factories/twin-input.ts";
import { startEmbeddingServer } from "#server/test/servers/embedding-server.ts";
import { testApp } from "#server/test/test-app.ts";
import { findFacts } from "./find-facts.ts";

const ASKED = "Сколько стоит чистка снега у входа?";
/** Shares with the original question only the words that ask for a price. */
const REWORDED = "Сколько стоит разгрести сугробы возле крыльца?";

test("confirming asks for the embedding of the question, and the same question in other words is answered with the fact", async () => {
  const server = await startEmbeddingServer(Array(8).fill([ASKED, REWORDED]));
  const embedding = { baseUrl: server.baseUrl, apiKey: "k", model: "m1", timeoutMs: 60_000, dailyTokens: 1_000_000 };
  const t = await testApp({ embedding });
  await t.services.jobs.stop(2000);
  try {
    const client = await t.signUp();
    const twinId = await buildTwin(client, HOUSE_TWIN);
    const data = { ...client.caller, twinId };
    await asTenant(t.services.db, client.caller, (tx) =>
      storeLetters(tx, data, [{ name: "Олег", incoming: ASKED, reply: "900 рублей за раз", audience: "own" }]),
    );
    const { signal } = new AbortController();
    await findFacts(t.services, data, signal);
    const base = `/api/digital-twins/${twinId}/chat-facts`;
    const [fact] = (await client.get(base)).json<ChatFacts>().facts;
    const decision = { decision: "confirm", question: ASKED, text: "900 рублей за раз" };
    expect((await client.put(`${base}/${fact!.variants[0]!.id}`, decision)).statusCode).toBe(204);
    const [twin] = await asTenant(t.services.db, data, (tx) => tx.select().from(twins).where(eq(twins.id, twinId)));
    expect(twin!.embeddingModel).toBe("m1");
    await learnEmbeddings({ ...t.services, pause: async () => {} }, data, signal, { corrections: embedCorrections });
    const colleague = await t.signUp({ role: "user", organizationId: client.caller.organizationId });
    const answer = (await colleague.post("/api/ai-generate", { twinId, message: REWORDED })).json();
    expect(answer.response).toContain("900 рублей");
    expect(answer.sources).toMatchObject([{ name: "Подтверждённые факты" }]);
  } finally {
    await t.close();
    await server.close();
  }
});
