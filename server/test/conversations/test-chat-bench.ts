/** A twin that its owner talks to. */
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect } from "vitest";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { dailyUsage } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export const DELIVERY = `# Доставка

## Москва

Доставка по Москве стоит 350 рублей. Курьер приезжает с 10:00 до 18:00.

## Казань

Доставка по Казани стоит 420 рублей, посылка едет четыре дня.

## Возврат

Вернуть товар можно в течение четырнадцати дней. Деньги приходят на карту за три дня.`;

export let t: TestApp;

export async function twinOf(client: TestClient, content = DELIVERY): Promise<string> {
  const id = await buildTwin(client);
  const document = { digitalTwinId: id, name: "Доставка", type: "faq", tags: [], status: "processed", content };
  expect((await client.post("/api/knowledge/upload", document)).statusCode).toBe(201);
  const { organizationId, userId } = client.caller;
  await trainTwin(t.services, { organizationId, userId, twinId: id }, new AbortController().signal);
  return id;
}

export const ask = (client: TestClient, twinId: string, message: string, conversationId?: string) =>
  client.post("/api/ai-generate", { twinId, message, ...(conversationId ? { conversationId } : {}) });

export const stream = (client: TestClient, twinId: string, message: string) =>
  client.inject({
    method: "POST",
    url: "/api/ai-generate",
    headers: { accept: "text/event-stream" },
    payload: { twinId, message },
  });

export const eventsOf = (body: string) =>
  body
    .split("\n\n")
    .filter(Boolean)
    .map((event) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event)!;
      return { name: name!, data: JSON.parse(data!) };
    });

/** Everything that is stored about a twin's conversations. */
export const stored = (client: TestClient, twinId: string) =>
  asTenant(t.services.db, client.caller, async (tx) => ({
    talks: await tx.select().from(conversations).where(eq(conversations.twinId, twinId)),
    messages: await tx
      .select({ role: conversationMessages.role, content: conversationMessages.content })
      .from(conversationMessages)
      .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
      .where(eq(conversations.twinId, twinId))
      .orderBy(conversationMessages.id),
    answers: await tx
      .select()
      .from(activity)
      .where(and(eq(activity.twinId, twinId), eq(activity.type, "response_generated"))),
    counted: (
      await tx
        .select({ sum: sql<number>`coalesce(sum(${dailyUsage.messages}), 0)::int` })
        .from(dailyUsage)
        .where(eq(dailyUsage.twinId, twinId))
    )[0]!.sum,
  }));

export const nothing = { talks: [], messages: [], answers: [], counted: 0 };

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareTestChat(): void {
  beforeAll(async () => {
    t = await testApp();
    // The tests train the twins themselves.
    await t.services.jobs.stop(2000);
  });
  afterAll(() => t.close());
}

/** The answer of the model behind the twin unless the test sets another. */
export const SAID = "Доставка по Москве стоит 350 рублей. Курьер приезжает с 10:00 до 18:00.";
export let model: OpenAiServer;

/** For the suite that calls this `t` is an app whose twins answer by a model, and listens. */
export function prepareModel({ timeoutSeconds = 1 } = {}): void {
  let withoutModel: TestApp;
  beforeAll(async () => {
    model = await startOpenAiServer({ text: SAID });
    withoutModel = t;
    t = await testApp({ llm: { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds } });
    await t.services.jobs.stop(2000);
    await t.app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterAll(async () => {
    await t.close();
    await model.close();
    t = withoutModel;
  });
}
