/** A twin of a shop whose own system is a local server. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { Reply } from "#contract/conversations/conversations.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type ShopServer, startShopServer } from "#server/test/servers/shop-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { type ProposingModel, startProposingModel } from "./proposing-model.ts";

export let t: TestApp;
export let shop: ShopServer;
/** The twin's owner, new for each test. */
export let ann: TestClient;
export let twinId: string;
/** Only where the file asks for one. */
export let model: ProposingModel;

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareShop({ withModel = false } = {}): void {
  beforeAll(async () => {
    shop = await startShopServer();
    if (withModel) model = await startProposingModel();
    const llm = withModel ? { llm: { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 20 } } : {};
    t = await testApp({ ...llm, loopbackAddresses: true });
    await t.services.jobs.stop(2000);
  });
  afterAll(async () => {
    await t.close();
    if (withModel) await model.close();
    await shop.close();
  });
  beforeEach(async () => {
    ann = await t.signUp();
    twinId = await buildTwin(ann);
    shop.requests.length = 0;
    shop.answers.clear();
    if (withModel) model.reset();
  });
}

/** Asks the twin in its owner's test chat. */
export async function ask(message: string, conversationId?: string, more: object = {}): Promise<Reply> {
  const asked = { twinId, message, ...(conversationId === undefined ? {} : { conversationId }), ...more };
  const answer = await ann.post("/api/ai-generate", asked);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
