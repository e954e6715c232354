import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Integration } from "#contract/integrations/integrations.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import type { Credentials } from "#server/inbox/channels/registry.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { VaultError } from "#server/platform/secrets/vault.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { maskPhone } from "./integrations.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

async function connect(client: TestClient, fields: Record<string, unknown> = {}): Promise<Integration> {
  const digitalTwinId = fields.digitalTwinId ?? (await buildTwin(client));
  const answer = await client.post("/api/integrations/create", {
    digitalTwinId,
    platform: "telegram",
    apiKey: "123456:token-of-a-bot-0123456789abcdefghij",
    apiId: null,
    apiHash: null,
    phoneNumber: null,
    settings: { phone_number: null, webhook_url: null, success_rate: 0.95 },
    status: "active",
    ...fields,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}

const listOf = async (client: TestClient, path = "/api/integrations"): Promise<Integration[]> =>
  (await client.get(path)).json();

async function storedCredentials(id: string): Promise<Credentials> {
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, id));
  return openCredentials(t.services.vault, row!);
}

test("a new integration is active, only drafts, and appears in both lists with all fields", async () => {
  const ann = await t.signUp();
  const digitalTwinId = await buildTwin(ann);
  const made = await connect(ann, { digitalTwinId, phoneNumber: "+79001234567" });
  expect(made).toMatchObject({
    platform: "telegram",
    status: "active",
    statusReason: null,
    autonomy: "draft",
    digitalTwinId,
    digitalTwinName: "Анна",
    messagesImported: 0,
    messagesHandled: 0,
    lastSync: null,
    phoneNumber: "+79001234567",
    config: { phoneNumber: "+79001234567" },
    settings: { success_rate: 0.95 },
  });
  expect(await listOf(ann)).toEqual([made]);
  expect(await listOf(ann, "/api/crm/integrations")).toEqual([made]);
  const activity = await ann.get("/api/activity/recent");
  expect(activity.json()[0]).toMatchObject({
    type: "integration_created",
    description: "Подключена платформа Telegram",
  });
});

test("the newest integration comes first", async () => {
  const ann = await t.signUp();
  const digitalTwinId = await buildTwin(ann);
  const keys = { discord: "three.parts.token", email: "password", slack: "xoxb-1" };
  for (const [platform, apiKey] of Object.entries(keys)) await connect(ann, { digitalTwinId, platform, apiKey });
  expect((await listOf(ann)).map(({ platform }) => platform)).toEqual(["slack", "email", "discord"]);
});

test.each([
  [
    "a bot",
    { apiKey: "1:token-of-a-bot-0123456789abcdefghij" },
    { platform: "telegram", botToken: "1:token-of-a-bot-0123456789abcdefghij", user: null },
  ],
  [
    "a user account",
    { apiKey: "userbot", apiId: "7", apiHash: "h" },
    { platform: "telegram", botToken: null, user: { apiId: "7", apiHash: "h" } },
  ],
  [
    "a bot and a user account",
    { apiKey: "1:token-of-a-bot-0123456789abcdefghij", apiId: "7", apiHash: "h" },
    { platform: "telegram", botToken: "1:token-of-a-bot-0123456789abcdefghij", user: { apiId: "7", apiHash: "h" } },
  ],
  [
    "WhatsApp",
    { platform: "whatsapp", apiKey: "t", settings: { app_secret: "s" } },
    { platform: "whatsapp", accessToken: "t", appSecret: "s", phoneNumber: null },
  ],
  [
    "mail",
    { platform: "email", apiKey: "p", settings: { address: "a@b.ru" } },
    { platform: "email", address: "a@b.ru", user: null, password: "p", imap: null, smtp: null },
  ],
  [
    "Gmail, whose passwords are shown in groups",
    { platform: "email", apiKey: "abcd efgh ijkl mnop", settings: { address: "a@gmail.com" } },
    { platform: "email", address: "a@gmail.com", user: null, password: "abcdefghijklmnop", imap: null, smtp: null },
  ],
  [
    "Slack",
    {
      platform: "slack",
      apiKey: "xoxb-1",
      settings: { webhook_url: "https://hooks.slack.com/x", app_token: "xapp-1" },
    },
    {
      platform: "slack",
      botToken: "xoxb-1",
      webhookUrl: "https://hooks.slack.com/x",
      signingSecret: null,
      appToken: "xapp-1",
    },
  ],
  [
    "MAX",
    { platform: "max", apiKey: "max-1-token-of-a-bot-0123456789" },
    { platform: "max", botToken: "max-1-token-of-a-bot-0123456789" },
  ],
  ["Discord", { platform: "discord", apiKey: "d.e.f" }, { platform: "discord", botToken: "d.e.f" }],
  [
    "a VK community",
    { platform: "vk", apiKey: "vk1.a.key-of-a-community" },
    { platform: "vk", token: "vk1.a.key-of-a-community" },
  ],
])("the credentials of %s are kept as its platform understands them", async (_name, fields, kept) => {
  const ann = await t.signUp();
  const { id } = await connect(ann, fields);
  expect(await storedCredentials(id)).toEqual(kept);
});

test("credentials can be opened only in their own row", async () => {
  const ann = await t.signUp();
  const digitalTwinId = await buildTwin(ann);
  const [first, second] = [await connect(ann, { digitalTwinId }), await connect(ann, { digitalTwinId })];
  const { db, vault } = t.services;
  const [row] = await db.select().from(integrations).where(eq(integrations.id, first.id));
  expect(row!.credentials.includes(Buffer.from("token"))).toBe(false);
  expect(() => openCredentials(vault, { ...row!, id: second.id })).toThrow(VaultError);
  expect(() => openCredentials(vault, { ...row!, orgId: randomUUID() })).toThrow(VaultError);
});

test.each([
  [{ digitalTwinId: "" }, "Выберите цифрового двойника"],
  [{ digitalTwinId: undefined }, "Выберите цифрового двойника"],
  [{ platform: "" }, "Выберите платформу"],
  [{ platform: "viber" }, "Выберите платформу"],
  [{ apiKey: undefined }, "API ключ обязателен"],
  [{ apiKey: null }, "API ключ обязателен"],
  [{ apiKey: "  " }, "API ключ обязателен"],
  [{ platform: "email", apiKey: "" }, "API ключ обязателен"],
  [{ settings: { webhook_url: "не адрес" } }, "Введите корректный URL"],
  [{ settings: { webhook_url: "javascript:alert(1)" } }, "Введите корректный URL"],
  [{ settings: { webhook_url: "file:///etc/passwd" } }, "Введите корректный URL"],
  [{ apiKey: "userbot", apiId: "7" }, "Все поля обязательны для подключения"],
  [{ apiKey: "userbot", apiId: "мой", apiHash: "h" }, /^API ID — это число/],
  [{ apiKey: "1:two words" }, /^Ключ — одна строка/],
  [{ apiKey: "1:k/../getMe" }, /^Ключ — одна строка/],
  [{ platform: "discord", apiKey: "a\r\nX-Header: b" }, /^Ключ — одна строка/],
  [{ platform: "slack", apiKey: "xoxb-1", settings: { app_token: "два слова" } }, /^Ключ — одна строка/],
  [{ platform: "whatsapp", apiKey: "ключ" }, /^Ключ — одна строка/],
  [{ platform: "email", apiKey: "imaps://a:p@mail.ru:99999" }, /^Проверьте сервер/],
])("%o is refused: %s", async (fields, message) => {
  const ann = await t.signUp();
  const right = { digitalTwinId: randomUUID(), platform: "telegram", apiKey: `1:${"k".repeat(35)}` };
  const answer = await ann.post("/api/integrations/create", { ...right, ...fields });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().message).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});

test.each([
  { apiKey: "123456:cut-off" },
  { platform: "slack", apiKey: "xoxp-1", settings: { app_token: "xoxb-1" } },
  { platform: "discord", apiKey: "client-secret" },
  { platform: "max", apiKey: "short" },
  { platform: "vk", apiKey: "vk1.a" },
  { platform: "whatsapp", apiKey: "EAA", phoneNumber: "мой номер" },
])("a key of an unusual form is taken, and its platform decides: %o", async (fields) => {
  const ann = await t.signUp();
  const right = { digitalTwinId: await buildTwin(ann), platform: "telegram" };
  const answer = await ann.post("/api/integrations/create", { ...right, ...fields });
  expect(answer.statusCode).toBe(201);
});

test("an empty webhook address counts as none", async () => {
  const ann = await t.signUp();
  const { id } = await connect(ann, {
    platform: "slack",
    apiKey: "xoxb-1",
    settings: { webhook_url: "", phone_number: null },
  });
  expect(await storedCredentials(id)).toMatchObject({ webhookUrl: null });
});

test("the owner pauses, activates and sets the autonomy; what he does not name stays", async () => {
  const ann = await t.signUp();
  const { id } = await connect(ann);
  const put = async (body: object) => (await ann.put(`/api/integrations/${id}`, body)).json();
  expect(await put({ status: "inactive" })).toMatchObject({ status: "inactive", autonomy: "draft" });
  expect(await put({ autonomy: "confident" })).toMatchObject({ status: "inactive", autonomy: "confident" });
  expect(await put({ status: "active" })).toMatchObject({ status: "active", autonomy: "confident" });
  for (const body of [{}, { status: "error" }, { status: "ready" }, { autonomy: "always" }, { autonomy: null }]) {
    expect((await ann.put(`/api/integrations/${id}`, body)).statusCode, JSON.stringify(body)).toBe(400);
  }
});

test("an error disappears once the owner has set a new status", async () => {
  const ann = await t.signUp();
  const { id } = await connect(ann);
  await t.services.db
    .update(integrations)
    .set({ status: "error", statusReason: "Ключ отозван" })
    .where(eq(integrations.id, id));
  expect(await listOf(ann)).toMatchObject([{ status: "error", statusReason: "Ключ отозван" }]);
  const changed = await ann.put(`/api/integrations/${id}`, { autonomy: "off" });
  expect(changed.json()).toMatchObject({ status: "error", statusReason: "Ключ отозван" });
  const activated = await ann.put(`/api/integrations/${id}`, { status: "active" });
  expect(activated.json()).toMatchObject({ status: "active", statusReason: null });
});

test("an integration that is given to another twin starts without history and keeps its keys", async () => {
  const ann = await t.signUp();
  const { id } = await connect(ann, { apiKey: `1:moves${"0".repeat(30)}` });
  await t.services.db
    .update(integrations)
    .set({ messagesImported: 50, lastSyncAt: new Date() })
    .where(eq(integrations.id, id));
  const digitalTwinId = await buildTwin(ann);
  const moved = (await ann.put(`/api/integrations/${id}`, { digitalTwinId })).json();
  expect(moved).toMatchObject({ digitalTwinId, messagesImported: 0, lastSync: null });
  expect(await storedCredentials(id)).toMatchObject({ botToken: `1:moves${"0".repeat(30)}` });
});

test("only members who may change the twin connect it and change or move its integrations", async () => {
  const admin = await t.signUp();
  const { organizationId } = admin.caller;
  const oleg = await t.signUp({ role: "user", organizationId });
  const vera = await t.signUp({ role: "user", organizationId });
  const [olegs, veras] = [await buildTwin(oleg), await buildTwin(vera)];
  const theirs = await connect(vera, { digitalTwinId: veras });
  const ours = await connect(oleg, { digitalTwinId: olegs });

  const refused = [
    await oleg.post("/api/integrations/create", { digitalTwinId: veras, platform: "email", apiKey: "k" }),
    await oleg.put(`/api/integrations/${theirs.id}`, { status: "inactive" }),
    await oleg.put(`/api/integrations/${ours.id}`, { digitalTwinId: veras }),
    await oleg.put(`/api/integrations/${theirs.id}`, { digitalTwinId: olegs }),
    await oleg.delete(`/api/integrations/${theirs.id}`),
  ];
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403]);
  expect((await listOf(vera)).find(({ id }) => id === theirs.id)).toEqual(theirs);
  expect((await admin.put(`/api/integrations/${theirs.id}`, { digitalTwinId: olegs })).statusCode).toBe(200);
});

test("a colleague who may not change the twin sees that a number is set, but not which", async () => {
  const admin = await t.signUp();
  const { organizationId } = admin.caller;
  const owner = await t.signUp({ role: "user", organizationId });
  const caller = await t.signUp({ role: "viewer", organizationId });
  await connect(owner, { phoneNumber: "+79001234567" });
  for (const client of [owner, admin]) expect(await listOf(client)).toMatchObject([{ phoneNumber: "+79001234567" }]);
  expect(await listOf(caller)).toMatchObject([
    { phoneNumber: "+79•••••••67", config: { phoneNumber: "+79•••••••67" } },
  ]);
});

test("a short number is not shown at all", () => {
  expect(maskPhone("+7900")).toBe("•••••");
  expect(maskPhone(null)).toBeNull();
});

test("a deleted integration leaves neither its keys nor a stored answer that names it", async () => {
  const ann = await t.signUp();
  const digitalTwinId = await buildTwin(ann);
  const made = await ann.inject({
    method: "POST",
    url: "/api/integrations/create",
    headers: { "idempotency-key": randomUUID() },
    payload: { digitalTwinId, platform: "discord", apiKey: "d.e.f" },
  });
  const { id } = made.json();
  expect((await ann.delete(`/api/integrations/${id}`)).statusCode).toBe(204);
  expect(await listOf(ann)).toEqual([]);
  expect((await ann.delete(`/api/integrations/${id}`)).statusCode).toBe(404);
  const { db } = t.services;
  const left = await db.execute(sql`
    select (select count(*) from integrations where id = ${id})
      + (select count(*) from idempotency_keys where body::text like ${`%${id}%`}) as rows`);
  expect(left.rows[0]!.rows).toBe(0);
  const audited = await db.execute(sql`select action from audit_log where subject = ${id} order by id`);
  expect(audited.rows.map(({ action }) => action)).toEqual(["integration-created", "integration-deleted"]);
});

test("reading the history of a paused integration is refused, and a live account is not served yet", async () => {
  const admin = await t.signUp();
  const owner = await t.signUp({ role: "user", organizationId: admin.caller.organizationId });
  const other = await t.signUp({ role: "user", organizationId: admin.caller.organizationId });
  const { id } = await connect(owner, { phoneNumber: "+79001234567" });
  const reimport = async (client: TestClient) => {
    const answer = await client.post(`/api/integrations/${id}/reimport`);
    return [answer.statusCode, answer.json().code];
  };
  expect(await reimport(owner)).toEqual([422, "not_signed_in"]);
  // The lists explain this without a request, also for a platform whose history cannot be read.
  const obstacleOf = async (which: string) => (await listOf(owner)).find((one) => one.id === which)?.reimport.obstacle;
  expect(await obstacleOf(id)).toMatch(/^В аккаунт ещё не вошли/);
  const bot = await connect(owner);
  expect(await obstacleOf(bot.id)).toMatch(/^У бота нет истории переписки/);
  const slack = await connect(owner, { platform: "slack", apiKey: "xoxb-1" });
  expect(await obstacleOf(slack.id)).toMatch(/^Новые сообщения приходят сами/);
  expect(await reimport(admin)).toEqual([422, "not_signed_in"]);
  expect(await reimport(other)).toEqual([403, "forbidden"]);
  expect(await reimport(await t.signUp())).toEqual([404, "source_not_found"]);
  await owner.put(`/api/integrations/${id}`, { status: "inactive" });
  expect(await reimport(owner)).toEqual([409, "integration_inactive"]);
});

test("deleting a twin deletes its integrations", async () => {
  const ann = await t.signUp();
  const { digitalTwinId } = await connect(ann);
  await ann.delete(`/api/digital-twins/${digitalTwinId}`);
  expect(await listOf(ann)).toEqual([]);
});
