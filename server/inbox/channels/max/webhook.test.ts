/** A public server: MAX delivers to the address of its subscription, which the server creates and renews. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import { connectTwin, drafted, eventsOf, shown, WAIT } from "#server/test/channels/channel-journey.ts";
import { type MaxServer, maxMessage, maxToken, startMaxServer } from "#server/test/servers/max-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const SECRET = "x-max-bot-api-secret";
const TOKEN = maxToken(3);
let server: MaxServer;
let t: TestApp;
let supervisor: Supervisor;
beforeAll(async () => {
  server = await startMaxServer();
  t = await testApp({ maxApiUrl: server.root, publicUrl: "https://twins.example" });
  supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
});
afterAll(async () => {
  await supervisor.stop();
  await t.close();
  await server.close();
  expect(server.faults).toEqual([]);
});

test("updates are accepted at the subscribed address with its secret alone, stored once and answered in their order", async () => {
  holdBursts();
  server.subscriptions.set(TOKEN, new Map([["https://crm.example/max", { secret: "other", types: [] }]]));
  const bot = await connectTwin(t, { platform: "max", apiKey: TOKEN });
  const urls = () => [...(server.subscriptions.get(TOKEN)?.keys() ?? [])];
  await expect.poll(urls, WAIT).toHaveLength(2);
  const url = urls().find((each) => each.startsWith("https://twins.example/hooks/"))!;
  const { secret, types } = server.subscriptions.get(TOKEN)!.get(url)!;
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(types).toEqual(["message_created", "message_edited", "message_removed", "bot_started", "bot_stopped"]);
  await expect.poll(async () => (await shown(bot)).connection, WAIT).toBe("connected");
  const deliver = async (payload: object, headers: Record<string, string> = { [SECRET]: secret }) => {
    const options = { method: "POST", url: new URL(url).pathname, payload } as const;
    return (await t.anonymous.inject({ ...options, headers: { "content-type": "application/json", ...headers } }))
      .statusCode;
  };
  const now = Date.now();
  const first = maxMessage(3, 5, "Здравствуйте!", { at: now - 2000 });
  const second = maxMessage(3, 5, "Сколько стоит доставка?", { at: now });
  expect(await deliver(first, {})).toBe(401);
  expect(await deliver(first, { [SECRET]: `${secret.slice(1)}x` })).toBe(401);
  expect(await deliver(first, { [SECRET]: "" })).toBe(401);
  expect(await eventsOf(t, bot)).toEqual([]);
  for (const update of [second, first, second, first, first]) expect(await deliver(update)).toBe(200);
  for (const odd of [{}, { update_type: "user_added", chat_id: -1 }]) expect(await deliver(odd)).toBe(200);
  expect((await drafted(bot.ann))[0]).toMatchObject({ question: "Здравствуйте!\nСколько стоит доставка?" });
  expect(await eventsOf(t, bot)).toHaveLength(2);

  const poison = { update_type: "message_created", message: { recipient: { chat_type: "dialog" } } };
  expect([await deliver(poison), await deliver(poison), await deliver(poison)]).toEqual([200, 200, 200]);
  expect(await shown(bot)).toMatchObject({ setAside: 1 });

  // The server has moved: its old subscription is deleted, a stranger's stays. A subscription that MAX has ended is created again.
  const own = new URL(url).pathname;
  server.subscriptions.get(TOKEN)!.delete(url);
  server.subscriptions.get(TOKEN)!.set(`https://old.example${own}`, { secret, types });
  await bot.ann.put(`/api/integrations/${bot.integration.id}`, { status: "inactive" });
  await supervisor.look();
  await bot.ann.put(`/api/integrations/${bot.integration.id}`, { status: "active" });
  await expect.poll(() => urls().sort(), WAIT).toEqual(["https://crm.example/max", url]);

  // A deleted integration gets no deliveries any more.
  expect((await bot.ann.delete(`/api/integrations/${bot.integration.id}`)).statusCode).toBe(204);
  await expect.poll(urls, WAIT).toEqual(["https://crm.example/max"]);
  expect(await deliver(first)).toBe(404);
});

test("without a public address a bot that was subscribed polls, and its subscription ends", async () => {
  const token = maxToken(4);
  const bot = await connectTwin(t, { platform: "max", apiKey: token });
  await expect.poll(() => server.subscriptions.get(token)?.size, WAIT).toBe(1);
  await supervisor.stop();
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, bot.integration.id));
  expect(row!.webhookPath).not.toBeNull();
  const config = { ...t.services.config, publicUrl: "http://localhost:3000" };
  supervisor = startSupervisor({ ...t.services, config }, { everyMs: 300, backoffMs: 50 });
  server.say(token, 6, "Сколько стоит доставка?");
  await drafted(bot.ann);
  expect(server.subscriptions.get(token)?.size).toBe(0);
});
