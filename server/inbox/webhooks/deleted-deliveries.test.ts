/** Webhook deliveries about a contact are deleted with the contact, and all deliveries after a month. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eq, inArray } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { NewWebhook } from "#contract/integrations/webhooks.ts";
import { cleanUp } from "#server/cleanup.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { webhookDeliveries } from "#server/platform/db/schema/programs.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { deliverWebhook, dueWebhooks } from "./deliver.ts";

let t: TestApp;
let owner: TestClient;
let things: Things;
let receiver: Server;
/** Received bodies, and responses that the receiver has not sent yet. */
const received: string[] = [];
const owed: ServerResponse[] = [];
let hangs = false;
beforeAll(async () => {
  t = await testApp({ loopbackAddresses: true });
  owner = await t.signUp();
  things = await makeThings(t, owner);
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    received.push(body);
    if (hangs) owed.push(response);
    else response.writeHead(204).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterEach(() => {
  hangs = false;
  received.length = 0;
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await t.close();
});

const inTenant = <T>(work: Parameters<typeof asTenant<T>>[2]) => asTenant(t.services.db, owner.caller, work);

async function listen(): Promise<string> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const input = { url, events: ["takeover.started"], includeTexts: true, enabled: true };
  const made = await owner.post(`/api/digital-twins/${things.twinId}/webhooks`, input);
  expect(made.statusCode, made.body).toBe(201);
  return made.json<NewWebhook>().webhook.id;
}

/** Does what the supervisor does every two seconds. */
async function sweep(): Promise<void> {
  for (const job of await asPlatform(t.services.db, dueWebhooks))
    await deliverWebhook(t.services, job, new AbortController().signal);
}

const kept = (webhookId: string) =>
  inTenant((tx) => tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId)));

let otherTalk: string;
test("with the answer of a contact's deletion nothing more is told of the contact, and nothing told is kept", async () => {
  const id = await listen();
  otherTalk = await inTenant(async (tx) => {
    const [talk] = await tx.select().from(conversations).where(eq(conversations.id, things.talkId));
    const { integrationId } = talk!;
    const made = await buildConversation(tx, talk!, { integrationId, externalId: "other", participantName: "Пётр" });
    await tx
      .update(imports)
      .set({ status: "cancelled" })
      .where(inArray(imports.status, ["reading", "preview"]));
    return made.id;
  });
  await owner.post(`/api/conversations/${things.talkId}/pause`);
  await sweep();
  expect(received).toHaveLength(1);
  hangs = true;
  for (let n = 0; n < 3; n++) await owner.post(`/api/conversations/${things.talkId}/pause`);
  await owner.post(`/api/conversations/${otherTalk}/pause`);
  const delivering = sweep();
  await expect.poll(() => owed.length).toBe(1);

  const began = performance.now();
  const deleted = await owner.delete(`/api/conversations/${things.talkId}/contact`);
  expect(deleted.statusCode, deleted.body).toBe(204);
  // The receiver would hang for ten seconds more. Usually it takes a second and a half; a busy machine needs longer.
  expect(performance.now() - began).toBeLessThan(9900);
  await expect.poll(() => owed[0]!.destroyed, { message: "the attempt under way has ended", timeout: 3000 }).toBe(true);
  const before = received.length;
  hangs = false;
  for (const answer of owed) answer.writeHead(204).end();
  await delivering;
  await sweep();
  expect(received.slice(before).filter((body) => body.includes("Иван"))).toEqual([]);
  const left = await kept(id);
  expect(left.map(({ conversationId }) => conversationId)).toEqual([otherTalk]);
  await expect
    .poll(async () =>
      sweep()
        .then(() => kept(id))
        .then(([row]) => row!.state),
    )
    .toBe("delivered");
});

test("a delivery is deleted after a month, whatever its result", async () => {
  const id = await listen();
  await owner.post(`/api/conversations/${otherTalk}/pause`);
  await sweep();
  await owner.post(`/api/conversations/${otherTalk}/pause`);
  expect((await kept(id)).map(({ state }) => state).sort()).toEqual(["delivered", "pending"]);
  await cleanUp(t.services, Date.now() + 29 * 24 * 3600_000);
  expect(await kept(id)).toHaveLength(2);
  await cleanUp(t.services, Date.now() + 31 * 24 * 3600_000);
  expect(await kept(id)).toEqual([]);
});
