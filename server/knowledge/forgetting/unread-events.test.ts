/** An unreadable event contains a contact's words: it is deleted with the sender, after some time, and with its integration. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanUp } from "#server/cleanup.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrationEvents, setAsideEvents } from "#server/platform/db/schema/channels.ts";
import { type Connected, connectTwin } from "#server/test/channels/channel-journey.ts";
import { buildContact, buildConversation } from "#server/test/factories/build-rows.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let telegram: TelegramServer;
let t: TestApp;
beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root });
});
afterAll(async () => {
  await t?.close();
  await telegram?.close();
});

let bots = 900;
const connected = () =>
  connectTwin(t, { platform: "telegram", apiKey: `${++bots}:token-of-a-bot-0123456789abcdefghij` });
const inTenant = <T>({ ann }: Connected, work: Parameters<typeof asTenant<T>>[2]) =>
  asTenant(t.services.db, ann.caller, work);

/** Stores one unreadable event per entry, named by its content. */
async function setAside(bot: Connected, events: Record<string, { title?: string; raw?: unknown; createdAt?: Date }>) {
  const place = { orgId: bot.ann.caller.organizationId, integrationId: bot.integration.id, reason: "Нет" };
  const rows = Object.entries(events).map(([name, event]) => ({ ...place, name, title: "Сообщение", ...event }));
  await inTenant(bot, (tx) => tx.insert(setAsideEvents).values(rows));
}
const kept = async (bot: Connected) =>
  (await t.services.db.select().from(setAsideEvents).where(eq(setAsideEvents.integrationId, bot.integration.id)))
    .map(({ name }) => name)
    .sort();

async function talkWith(bot: Connected, contact: { platform: string; externalId: string; handle?: string }) {
  const place = { orgId: bot.ann.caller.organizationId, twinId: bot.twinId };
  return inTenant(bot, async (tx) => {
    const { id: contactId } = await buildContact(tx, place, { name: "Иван Петров", ...contact });
    const talk = await buildConversation(tx, place, {
      ...{ contactId, platform: contact.platform, integrationId: bot.integration.id },
      ...{ externalId: `chat of ${contact.externalId}`, participantName: "Иван Петров" },
    });
    return talk.id;
  });
}
const forget = async (bot: Connected, talkId: string) => {
  const answer = await bot.ann.delete(`/api/conversations/${talkId}/contact`);
  expect(answer.statusCode, answer.body).toBe(204);
};

test("an unreadable event of a forgotten contact is forgotten too, another's stays", async () => {
  const bot = await connected();
  const talk = await talkWith(bot, { platform: "telegram", externalId: "user70011", handle: "@ivan_p" });
  await setAside(bot, {
    "by number": { raw: telegram.privateMessage(70011, "Ключ под ковриком") },
    "by handle": { raw: { message: { from: { username: "Ivan_P" } } } },
    "behind a new line": { raw: { text: "от\n70011" } },
    "in the title": { title: "Письмо от Иван Петров" },
    "longer number": { raw: telegram.privateMessage(700110, "Другой человек") },
    "another's handle": { raw: { message: { from: { username: "ivan_pavlov" } } } },
    "nobody's": {},
  });
  const elsewhere = await connected();
  await setAside(elsewhere, { "of another twin": { raw: telegram.privateMessage(70011, "Там он тоже пишет") } });
  await forget(bot, talk);
  expect(await kept(bot)).toEqual(["another's handle", "longer number", "nobody's"]);
  expect(await kept(elsewhere)).toEqual(["of another twin"]);
});

test("numbers are known as deliveries write them, addresses as titles do, and the log's lines of them go", async () => {
  const bot = await connected();
  const { id, platform } = bot.integration;
  const phone = await talkWith(bot, { platform, externalId: "+7 999 111-22-33" });
  const mail = await talkWith(bot, { platform, externalId: "anna+shop@example.ru" });
  await setAside(bot, {
    delivery: { raw: { contacts: [{ wa_id: "79991112233" }] } },
    letter: { title: "Письмо от Анна <Anna+Shop@example.ru> «Заказ»" },
    other: { title: "Письмо от Павел <pavel@example.ru> «Заказ»" },
  });
  const orgId = bot.ann.caller.organizationId;
  const lines = ["Письмо от Анна <Anna+Shop@example.ru> «Заказ» отложено", "Письмо от Павел отложено"];
  await inTenant(bot, (tx) =>
    tx.insert(integrationEvents).values(lines.map((text) => ({ orgId, integrationId: id, text }))),
  );
  await forget(bot, phone);
  expect(await kept(bot)).toEqual(["letter", "other"]);
  await forget(bot, mail);
  expect(await kept(bot)).toEqual(["other"]);
  const rows = await t.services.db.select().from(integrationEvents).where(eq(integrationEvents.integrationId, id));
  const told = rows.map(({ text }) => text);
  expect(told).toContain("Письмо от Павел отложено");
  expect(told.join()).not.toContain("Anna");
});

test("what was set aside a month ago is forgotten; with its integration or twin at once", async () => {
  const month = 30 * 24 * 3600_000;
  const bot = await connected();
  await setAside(bot, { old: { createdAt: new Date(Date.now() - month - 60_000) }, newer: {} });
  await cleanUp(t.services);
  expect(await kept(bot)).toEqual(["newer"]);
  await bot.ann.delete(`/api/integrations/${bot.integration.id}`);
  expect(await kept(bot)).toEqual([]);
  const other = await connected();
  await setAside(other, { one: {} });
  const answer = await other.ann.delete(`/api/digital-twins/${other.twinId}`);
  expect([answer.statusCode, await kept(other)]).toEqual([204, []]);
});
