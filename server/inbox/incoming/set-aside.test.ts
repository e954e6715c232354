/** Unparsable events are set aside, reported to the owner, and delay no other event: by long poll, by webhook, after a kill. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SetAside } from "#contract/conversations/set-aside.ts";
import type { IntegrationEvent } from "#contract/integrations/integrations.ts";
import { createApp } from "#server/app.ts";
import { ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import { newWebhook, openWebhookSecret } from "#server/inbox/channels/webhook-address.ts";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations, setAsideEvents } from "#server/platform/db/schema/channels.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { type Connected, connectTwin, drafted, eventsOf, shown, WAIT } from "#server/test/channels/channel-journey.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { createAttemptTracker, MAX_READ_ATTEMPTS } from "./attempts.ts";

const ME = "00000000-0000-4000-8000-00000000000a";
let telegram: TelegramServer;
let t: TestApp;
let supervisor: Supervisor;
beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root });
  supervisor = startSupervisor(t.services, { everyMs: 200, backoffMs: 50 });
});
afterAll(async () => {
  await supervisor?.stop();
  await t?.close();
  await telegram?.close();
});

let bots = 700;
const connected = async () => {
  const token = `${++bots}:token-of-a-bot-0123456789abcdefghij`;
  return { token, ...(await connectTwin(t, { platform: "telegram", apiKey: token })) };
};
const fillerReplyOf = async ({ ann, integration }: Connected): Promise<SetAside[]> =>
  (await ann.get(`/api/integrations/${integration.id}/set-aside`)).json();
const logOf = async ({ ann, integration }: Connected): Promise<string[]> =>
  (await ann.get(`/api/integrations/${integration.id}/events`)).json().map(({ text }: IntegrationEvent) => text);
/** Each message has a time; code that parses this one as a date fails. */
const POISON = { date: "вчера" };

test("an unreadable update is set aside, the owner is told, and the next one is answered", async () => {
  const bot = await connected();
  const path = `/api/integrations/${bot.integration.id}/set-aside`;
  telegram.say(bot.token, 41, "Отрава", POISON);
  telegram.say(bot.token, 42, "Сколько стоит доставка?");
  const [draft] = await drafted(bot.ann);
  expect(draft!.question).toBe("Сколько стоит доставка?");
  const [item, ...more] = await fillerReplyOf(bot);
  expect(more).toEqual([]);
  expect(item).toMatchObject({ title: "Сообщение", canRetry: true, waits: false });
  expect(await logOf(bot)).toContainEqual(expect.stringMatching(/^Сообщение отложено\./));
  expect(await shown(bot)).toMatchObject({ setAside: 1, trouble: null });
  // Other members cannot see it, and it is not retried unchanged.
  const colleague = await t.signUp({ organizationId: bot.ann.caller.organizationId });
  expect((await colleague.get(path)).statusCode).toBe(404);
  const again = await bot.ann.post(`${path}/${item!.id}/retry`);
  expect([again.statusCode, again.json().code]).toEqual([422, "not_readable"]);
  expect(await fillerReplyOf(bot)).toHaveLength(1);
  expect((await bot.ann.delete(`${path}/${item!.id}`)).statusCode).toBe(204);
  expect(await fillerReplyOf(bot)).toEqual([]);
  expect(await shown(bot)).toMatchObject({ setAside: 0 });
});

test("a set-aside event is taken in when it can be read after all", async () => {
  const bot = await connected();
  const raw = telegram.privateMessage(43, "А возврат есть?");
  const { organizationId: orgId } = bot.ann.caller;
  const row = { orgId, integrationId: bot.integration.id, name: "once", title: "Сообщение", reason: "Нет", raw };
  await asTenant(t.services.db, bot.ann.caller, (tx) => tx.insert(setAsideEvents).values(row));
  const [item] = await fillerReplyOf(bot);
  const answer = await bot.ann.post(`/api/integrations/${bot.integration.id}/set-aside/${item!.id}/retry`);
  expect(answer.statusCode, answer.body).toBe(204);
  expect((await drafted(bot.ann))[0]!.question).toBe("А возврат есть?");
  expect(await fillerReplyOf(bot)).toEqual([]);
});

test("an unreadable delivery is refused twice, then set aside and acknowledged, whichever process receives it", async () => {
  const bot = await connected();
  const { id } = bot.integration;
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, id));
  const made = newWebhook(t.services.vault, row!);
  await t.services.db.update(integrations).set(made).where(eq(integrations.id, id));
  const headers = {
    "content-type": "application/json",
    "x-telegram-bot-api-secret-token": openWebhookSecret(t.services.vault, row!, made.webhookSecret),
  };
  const payload = JSON.stringify(telegram.privateMessage(44, "Отрава", POISON));
  const statuses: number[] = [];
  for (let time = 0; time < MAX_READ_ATTEMPTS; time++) {
    // Each time another server uses the same database, as after a restart.
    const app = await createApp(t.services);
    const url = `/hooks/${made.webhookPath}`;
    statuses.push((await app.inject({ method: "POST", url, headers, payload })).statusCode);
    await app.close();
  }
  expect(statuses).toEqual([500, 500, 200]);
  const [after] = await t.services.db.select().from(integrations).where(eq(integrations.id, id));
  expect(after!.failedDeliveries).toEqual({});
  expect(await fillerReplyOf(bot)).toHaveLength(1);
});

test("an answer whose tries have all ended the process is given up at once, and the owner may have it tried again", async () => {
  const bot = await connected();
  telegram.say(bot.token, 45, "Сколько стоит доставка?");
  await drafted(bot.ann);
  const [event] = await eventsOf(t, bot);
  const where = eq(inboxEvents.id, event!.id);
  await t.services.db.update(inboxEvents).set({ status: "pending", attempts: 4 }).where(where);
  const { organizationId, userId } = bot.ann.caller;
  const job = { organizationId, userId, integrationId: bot.integration.id, conversationKey: event!.conversationKey };
  await asTenant(t.services.db, job, (tx) => t.services.jobs.enqueue(tx, "process-inbox", job));
  await expect.poll(async () => (await fillerReplyOf(bot)).length, WAIT).toBe(1);
  const [item] = await fillerReplyOf(bot);
  expect(item).toMatchObject({ title: "Сообщение от Иван", reason: "На него не удалось ответить.", canRetry: true });
  expect((await eventsOf(t, bot))[0]).toMatchObject({ status: "failed", attempts: 5 });
  const answer = await bot.ann.post(`/api/integrations/${bot.integration.id}/set-aside/${item!.id}/retry`);
  expect(answer.statusCode, answer.body).toBe(204);
  await expect.poll(async () => (await eventsOf(t, bot))[0]!.status, WAIT).toBe("done");
});

/** Receives like the supervisor, for an integration without another receiver. */
async function receivingBy(bot: Connected) {
  const { id } = bot.integration;
  const ann = bot.ann.caller;
  await bot.ann.put(`/api/integrations/${id}`, { status: "inactive" });
  await supervisor.look();
  const cursorOf = async () =>
    (await t.services.db.select().from(integrations).where(eq(integrations.id, id)))[0]!.cursor;
  await t.services.db
    .update(integrations)
    .set({ leaseOwner: ME, cursor: { at: 1 } })
    .where(eq(integrations.id, id));
  const begin = async () =>
    createAttemptTracker(t.services, {
      integration: { id, organizationId: ann.organizationId, userId: ann.userId },
      leaseOwner: ME,
      cursor: await cursorOf(),
      signal: new AbortController().signal,
      emit: async () => {},
    });
  return { begin, cursorOf };
}

test("a try is recorded before it begins, so an event that has ended the process three times is not read again", async () => {
  const bot = await connected();
  const { begin, cursorOf } = await receivingBy(bot);
  const event = { name: "poison", behind: { at: 2 } };
  for (let times = 1; times <= MAX_READ_ATTEMPTS; times++) {
    const { attempt } = await begin();
    // Simulates a kill: the reader never returns.
    await Promise.race([
      attempt(event, () => new Promise<never>(() => {})),
      expect.poll(cursorOf, WAIT).toEqual({ at: 1, trying: { name: "poison", times } }),
    ]);
  }
  const { attempt } = await begin();
  const innocent: string[] = [];
  // Another event is delivered before it, as all events after a cursor are.
  await attempt({ name: "other", behind: { at: 1 } }, async () => void innocent.push("other"));
  await attempt(event, async () => void innocent.push("poison"));
  expect(innocent).toEqual(["other"]);
  expect(await cursorOf()).toEqual({ at: 2 });
  expect(await fillerReplyOf(bot)).toHaveLength(1);
});

test("trouble of the platform never sets an event aside, however often it occurs", async () => {
  const bot = await connected();
  const { begin, cursorOf } = await receivingBy(bot);
  for (let time = 0; time < 2 * MAX_READ_ATTEMPTS; time++) {
    const { attempt } = await begin();
    const away = async () => {
      throw new ChannelTrouble("away", "Telegram недоступен");
    };
    await expect(attempt({ name: "innocent", behind: { at: 2 } }, away)).rejects.toThrow("недоступен");
  }
  expect(await cursorOf()).toEqual({ at: 1 });
  expect(await fillerReplyOf(bot)).toEqual([]);
});
