/** Removal of a member: the state of the twins, and that nothing is sent any more once the removal has returned. */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onTwinDeleted } from "#server/accounts/twins/deleted-twins.ts";
import { deliverWebhook, dueWebhooks } from "#server/inbox/webhooks/deliver.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { apiKeys, webhookDeliveries, webhooks } from "#server/platform/db/schema/programs.ts";
import { corrections, openReplies } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { ENDPOINT_CASES } from "#server/test/endpoints/endpoint-cases.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import { send } from "#server/test/endpoints/send-case.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { storeLetters } from "#server/test/factories/stored-letters.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let receiver: Server;
let received = 0;
let cut = 0;
beforeAll(async () => {
  t = await testApp({ loopbackAddresses: true });
  // The receiver never responds.
  receiver = createServer((request, response) => {
    received++;
    request.resume();
    response.once("close", () => cut++);
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await t.close();
});

const pathOf = (admin: TestClient, member: TestClient) =>
  `/api/organizations/${admin.caller.organizationId}/users/${member.caller.userId}`;

async function pair() {
  const admin = await t.signUp();
  const bob = await t.signUp({ role: "org_admin", organizationId: admin.caller.organizationId });
  return { admin, bob };
}

async function makeTwin(client: TestClient): Promise<string> {
  const key = "POST /api/digital-twins";
  return (await send(client, ENDPOINT_CASES[key]!, key, {} as Things)).json().id;
}

async function tablesWith(words: string): Promise<string[]> {
  const { rows } = await t.services.db.execute(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of rows as { name: string }[]) {
    const hit = await t.services.db.execute(
      sql`select 1 from ${sql.identifier(name)} as whole where whole::text like ${`%${words}%`} limit 1`,
    );
    if (hit.rows.length > 0) found.push(name);
  }
  return found;
}

const LETTERS = [
  { name: "Зинаида", incoming: "Кто твой врач?", reply: "Лежу у Аркадия в клинике", audience: "own" },
  { name: "Зинаида", incoming: "Когда вы открыты?", reply: "Открыты с десяти до восьми", audience: "all" },
] as const;

async function withLetters() {
  const { admin, bob } = await pair();
  const things = await makeThings(t, bob);
  const { twinId } = things;
  await asTenant(t.services.db, bob.caller, (tx) => storeLetters(tx, { ...bob.caller, twinId }, LETTERS));
  expect(await tablesWith("Аркадия")).not.toEqual([]);
  return { admin, bob, things };
}

test("a twin is handed over without any private message of its former owner; documents and opened replies stay", async () => {
  const { admin, bob, things } = await withLetters();
  const { twinId } = things;
  const choice = { connectionId: things.crmId, includeTexts: true };
  expect((await bob.put(`/api/digital-twins/${twinId}/crm`, choice)).statusCode).toBe(200);
  const held = (await admin.get(`${pathOf(admin, bob)}/holdings`)).json();
  expect(held).toMatchObject({
    twins: [{ id: twinId }],
    keys: [{ id: things.keyId }],
    webhooks: [{ id: things.webhookId, host: expect.stringMatching(/^[^/]+$/) }],
    integrations: [{ id: things.integrationId, platform: "telegram" }],
    heir: { id: admin.caller.userId },
  });
  expect((await admin.delete(pathOf(admin, bob))).statusCode).toBe(204);
  await t.jobsIdle();

  for (const words of ["Аркадия", "Кто твой врач", "Зинаида", "Цены есть на сайте", "Вход со двора"]) {
    expect({ words, found: await tablesWith(words) }).toEqual({ words, found: [] });
  }
  const [twin] = await t.services.db.select().from(twins).where(eq(twins.id, twinId));
  expect(twin).toMatchObject({
    ownerId: admin.caller.userId,
    isActive: false,
    styleAccuracy: null,
    trainingStage: null,
  });
  expect(twin!.trainedRevision).toBe(twin!.knowledgeRevision);
  expect((await admin.get("/api/crm")).json()).toMatchObject({ connections: [{ id: things.crmId }], choices: [] });
  expect((await admin.get("/api/tools")).json()).toMatchObject([{ id: things.toolId, enabled: false }]);
  expect((await admin.get(`/api/knowledge/documents/${things.documentId}`)).statusCode).toBe(200);
  const kept = await t.services.db.select().from(corrections).where(eq(corrections.twinId, twinId));
  expect(kept.map(({ text, audience, twinReply, context }) => ({ text, audience, twinReply, context }))).toContainEqual(
    {
      ...{ text: "Открыты с десяти до восьми", audience: 0, twinReply: "", context: [] },
    },
  );
  expect(kept.every(({ audience, twinReply }) => audience === 0 && twinReply === "")).toBe(true);
  expect(await t.services.db.select().from(openReplies).where(eq(openReplies.twinId, twinId))).toEqual([]);
  const [written] = await t.services.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, "twin-handed-over"), eq(auditLog.subject, twinId)));
  expect(written!.detail).toEqual({ from: bob.caller.userId, to: admin.caller.userId });
});

test("the member's twins can also be deleted with all their data", async () => {
  const { admin, bob, things } = await withLetters();
  const announced: string[] = [];
  onTwinDeleted((id) => announced.push(id));
  expect((await admin.delete(`${pathOf(admin, bob)}?twins=keep`)).statusCode).toBe(400);
  expect((await admin.delete(`${pathOf(admin, bob)}?twins=delete`)).statusCode).toBe(204);
  expect(announced).toEqual([things.twinId]);
  expect((await admin.get(`/api/digital-twins/${things.twinId}`)).statusCode).toBe(404);
  expect(await tablesWith("Аркадия")).toEqual([]);
  const { rows } = await t.services.db.execute(
    sql`select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'twin_id'`,
  );
  for (const { name } of rows as { name: string }[]) {
    const left = await t.services.db.execute(
      sql`select count(*)::int as total from ${sql.identifier(name)} where twin_id = ${things.twinId}`,
    );
    expect({ name, ...left.rows[0] }).toEqual({ name, total: 0 });
  }
});

test("a delivery in flight by a member's webhook on another's twin is ended before the removal responds", async () => {
  const { admin, bob } = await pair();
  const twinId = await makeTwin(admin);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const input = { url, events: ["takeover.started"], includeTexts: true, enabled: true };
  const made = await bob.post(`/api/digital-twins/${twinId}/webhooks`, input);
  const webhookId: string = made.json().webhook.id;
  await t.services.jobs.stop(2000);
  const waiting = { orgId: admin.caller.organizationId, webhookId, event: "takeover.started", payload: "{}" };
  await asTenant(t.services.db, admin.caller, (tx) => tx.insert(webhookDeliveries).values([waiting, waiting]));
  const delivering = Promise.all(
    (await asPlatform(t.services.db, dueWebhooks)).map((job) =>
      deliverWebhook(t.services, job, new AbortController().signal),
    ),
  );
  await expect.poll(() => received, { interval: 5 }).toBe(1);
  expect((await admin.delete(pathOf(admin, bob))).statusCode).toBe(204);
  await expect.poll(() => cut, { interval: 5, timeout: 200 }).toBe(1);
  await delivering;
  expect(received).toBe(1);
  expect((await admin.get(`/api/digital-twins/${twinId}`)).json().isActive).toBe(true);
});

test("the last administrator cannot be removed, so what he owns is not listed", async () => {
  const admin = await t.signUp();
  const bob = await t.signUp({ role: "user", organizationId: admin.caller.organizationId });
  expect((await admin.get(`${pathOf(admin, admin)}/holdings`)).statusCode).toBe(409);
  expect((await admin.delete(pathOf(admin, admin))).statusCode).toBe(409);
  expect((await admin.delete(pathOf(admin, bob))).statusCode).toBe(204);
});

test("deleting an account also deletes its connections to a colleague's twin, but nothing of the colleague's", async () => {
  const { admin, bob } = await pair();
  const twinId = await makeTwin(admin);
  const hook = { url: "http://127.0.0.1:9/h", events: ["takeover.started"], includeTexts: true, enabled: true };
  const key = { name: "Сайт", scopes: ["ask"], dailyMessages: 10, dailyTokens: 10_000 };
  const platform = { platform: "telegram", digitalTwinId: twinId, apiKey: `123456:${"A".repeat(35)}` };
  const made: Record<string, string> = {};
  for (const [name, client] of [["bobs", bob] as const, ["hers", admin] as const]) {
    const webhook = await client.post(`/api/digital-twins/${twinId}/webhooks`, hook);
    expect(webhook.statusCode, webhook.body).toBe(201);
    made[`${name} webhook`] = webhook.json().webhook.id;
    const token = await client.post(`/api/digital-twins/${twinId}/keys`, { ...key, name });
    expect(token.statusCode, token.body).toBe(201);
    made[`${name} key`] = token.json().key.id;
  }
  const integration = await bob.post("/api/integrations/create", platform);
  expect(integration.statusCode, integration.body).toBe(201);
  made["bobs integration"] = integration.json().id;

  const deleted = await bob.post("/api/account/deletion", { confirmation: "УДАЛИТЬ" });
  expect(deleted.statusCode, deleted.body).toBe(200);
  const left = await asTenant(t.services.db, admin.caller, async (tx) => ({
    webhooks: (await tx.select({ id: webhooks.id }).from(webhooks)).map(({ id }) => id),
    keys: (await tx.select({ id: apiKeys.id }).from(apiKeys)).map(({ id }) => id),
    integrations: (await tx.select({ id: integrations.id }).from(integrations)).map(({ id }) => id),
  }));
  expect(left).toEqual({ webhooks: [made["hers webhook"]], keys: [made["hers key"]], integrations: [] });
  const [written] = await t.services.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, "holdings-ended"), eq(auditLog.subject, bob.caller.userId)));
  expect(written!.detail).toEqual({ keys: 1, webhooks: 1, integrations: 1 });
});
