/** Address of a public server to which only Telegram can deliver. */
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { type Supervisor, startSupervisor } from "./supervisor.ts";

const TOKEN = "77:token-of-a-bot-0123456789abcdefghij";
const SECRET = "x-telegram-bot-api-secret-token";
let telegram: TelegramServer;
let t: TestApp;
let supervisor: Supervisor;
beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root, publicUrl: "https://twins.example" });
  supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
});
afterAll(async () => {
  await supervisor.stop();
  await t.close();
  await telegram.close();
});

const update = (id: number, text: string) => ({
  update_id: id,
  message: {
    message_id: id,
    date: 1_795_000_000,
    chat: { id: 5, type: "private" },
    from: { id: 5, is_bot: false, first_name: "Иван" },
    text,
  },
});

test("an update is accepted only at its opaque address with its secret, stored once and answered", async () => {
  const ann = await t.signUp();
  const digitalTwinId = await buildTwin(ann);
  const bot = { digitalTwinId, platform: "telegram", apiKey: TOKEN };
  const { id } = (await ann.post("/api/integrations/create", bot)).json();
  await expect.poll(() => telegram.webhooks.get(TOKEN), { timeout: 10_000 }).toBeDefined();
  const { url, secret } = telegram.webhooks.get(TOKEN)!;
  expect(url).toMatch(/^https:\/\/twins\.example\/hooks\/[\w-]{43}$/);
  expect(secret).toMatch(/^[\w-]{43}$/);
  const address = new URL(url).pathname;
  const deliver = (payload: string | object, headers: Record<string, string> = { [SECRET]: secret }, to = address) =>
    t.anonymous.inject({
      method: "POST",
      url: to,
      payload,
      headers: { "content-type": "application/json", ...headers },
    });
  const rows = () => t.services.db.select().from(inboxEvents).where(eq(inboxEvents.integrationId, id));

  const question = update(1, "Сколько стоит доставка?");
  expect((await deliver(question, {})).statusCode).toBe(401);
  expect((await deliver(question, { [SECRET]: `${secret.slice(1)}x` })).statusCode).toBe(401);
  expect((await deliver("x".repeat(3_000_000), { [SECRET]: "wrong" })).statusCode).toBe(401);
  expect((await deliver(question, undefined, `/hooks/${"x".repeat(43)}`)).statusCode).toBe(404);
  expect((await deliver(question, undefined, "/hooks/..%2f..")).statusCode).toBe(404);
  expect((await deliver('{"update_id":', undefined)).statusCode).toBe(400);
  for (const odd of ["null", "[]", "5", '{"message":{}}', '{"message":{"chat":null}}']) {
    expect((await deliver(odd)).statusCode, odd).toBe(200);
  }
  expect(await rows()).toEqual([]);
  for (const _again of [1, 2, 3]) expect((await deliver(question)).statusCode).toBe(200);
  expect(await rows()).toHaveLength(1);
  await expect.poll(async () => (await ann.get("/api/approvals")).json().length, { timeout: 15_000 }).toBe(1);
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, id));
  expect(row!.webhookSecret!.includes(Buffer.from(secret))).toBe(false);
  expect((await ann.get("/api/integrations")).body).not.toContain(row!.webhookPath!);

  // Simultaneous deliveries are stored together, each once; an invalid one fails alone.
  const many = Array.from({ length: 12 }, (_, place) => update(10 + place, "И ещё."));
  const codes = async (list: object[]) =>
    (await Promise.all(list.map((one) => deliver(one)))).map((one) => one.statusCode);
  expect(await codes([...many, ...many])).toEqual(Array(24).fill(200));
  const transactions = await t.services.db
    .select({ id: sql<string>`xmin::text` })
    .from(inboxEvents)
    .where(eq(inboxEvents.integrationId, id));
  expect(transactions).toHaveLength(13);
  expect(new Set(transactions.map((one) => one.id)).size).toBeLessThan(13);
  const broken = update(1e30, "Номера такого нет");
  expect(await codes([update(30, "Раз."), broken, update(31, "Два.")])).toEqual([200, 200, 200]);
  expect(await rows()).toHaveLength(15);

  await ann.put(`/api/integrations/${id}`, { status: "inactive" });
  expect((await deliver(update(2, "Есть кто?"))).statusCode).toBe(404);
  await ann.delete(`/api/integrations/${id}`);
  expect((await deliver(update(2, "Есть кто?"))).statusCode).toBe(404);
});

test("without a public address the webhook is removed and the bot polls", async () => {
  const other = await testApp({ telegramApiRoot: telegram.root });
  const alone = startSupervisor(other.services, { everyMs: 300, backoffMs: 50 });
  telegram.webhooks.set("78:token-of-a-bot-0123456789abcdefghij", { url: "https://old.test", secret: "s" });
  const ann = await other.signUp();
  const made = await ann.post("/api/digital-twins", TWIN);
  const bot = { digitalTwinId: made.json().id, platform: "telegram", apiKey: "78:token-of-a-bot-0123456789abcdefghij" };
  await ann.post("/api/integrations/create", bot);
  await expect
    .poll(() => telegram.webhooks.has("78:token-of-a-bot-0123456789abcdefghij"), { timeout: 10_000 })
    .toBe(false);
  telegram.say("78:token-of-a-bot-0123456789abcdefghij", 6, "Привет!");
  await expect.poll(async () => (await ann.get("/api/approvals")).json().length, { timeout: 15_000 }).toBe(1);
  await alone.stop();
  await other.close();
});
