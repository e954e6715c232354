/** End-to-end tests of a MAX bot by long polling, against a local server as strict as the published API description. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  drafted,
  eventsOf,
  listedConversations,
  rowsOf,
  shown,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import {
  bots,
  connect,
  handled,
  prepareMaxJourney,
  sentTo,
  server,
  setSupervisor,
  supervisor,
  t,
} from "#server/test/channels/max-journey-bench.ts";

prepareMaxJourney();

test("a bot is connected, drafts one answer to a burst and sends what was approved, with one disclosure", async () => {
  holdBursts();
  const bot = await connect();
  const { ann, token, ivan, chat } = bot;
  expect(bot.integration).toMatchObject({ platform: "max", account: `@shop${bots}_bot`, webhook: null, trouble: null });
  await expect.poll(async () => (await shown(bot)).connection, WAIT).toBe("connected");
  server.say(token, ivan, "в группе", { chatType: "chat" });
  server.say(token, ivan, "я бот", { sender: { is_bot: true } });
  const first = server.say(token, ivan, "Здравствуйте!", { at: Date.now() - 1000 });
  server.say(token, ivan, "Сколько стоит доставка?", { attachments: [{ type: "image" }] });
  server.push(token, first);
  const [draft] = await drafted(ann);
  expect(draft).toMatchObject({
    platform: "max",
    contactName: "Иван",
    question: "Здравствуйте!\n[Фото] Сколько стоит доставка?",
  });
  expect(sentTo(chat)).toEqual([]);
  await ann.put(`/api/approvals/${draft!.id}`, { text: "**Бесплатно** от 1000 ₽" });
  await ann.post(`/api/approvals/${draft!.id}/approve`);
  await expect.poll(() => sentTo(chat).length, WAIT).toBe(1);
  expect(sentTo(chat)[0]).toMatch(/^Отвечает ИИ-помощник: .*\n\n\*\*Бесплатно\*\* от 1000 ₽$/s);
  await expect.poll(async () => (await rowsOf(t, bot))[0]!.state, WAIT).toBe("sent");
  const [talk] = await listedConversations(ann);
  expect((await transcript(ann, talk!.id)).map(({ role }) => role)).toEqual(["user", "user", "user", "assistant"]);
  const known = await t.services.db.select().from(contacts).where(eq(contacts.twinId, bot.twinId));
  expect(known).toMatchObject([{ externalId: `max${ivan}`, name: "Иван" }]);

  // Updates are delivered again after a restart: the marker was stored, and repetitions are recognised.
  await supervisor.stop();
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, bot.integration.id));
  expect(row!.cursor).toEqual({ marker: expect.any(Number) });
  server.push(token, first);
  server.say(token, ivan, "Спасибо!");
  const polled = server.polls.length;
  setSupervisor(startSupervisor(t.services, { everyMs: 300, backoffMs: 50 }));
  await drafted(ann);
  expect(server.polls.slice(polled)).toContain(String((row!.cursor as { marker: number }).marker));
  await t.jobsIdle();
  expect((await eventsOf(t, bot)).length).toBe(4);
  expect(sentTo(chat)).toHaveLength(1);
});

test("the owner's own message from the bot's account is a takeover; the echo of our answer is none", async () => {
  const bot = await connect("auto");
  const { ann, token, ivan, chat } = bot;
  server.say(token, ivan, "Привет!");
  await expect.poll(() => sentTo(chat).length, WAIT).toBe(1);
  await expect.poll(async () => (await rowsOf(t, bot))[0]!.state, WAIT).toBe("sent");
  const echo = server.sayAsBot(token, ivan, sentTo(chat)[0]!);
  const [row] = await rowsOf(t, bot);
  (echo.message as { body: { mid: string } }).body.mid = row!.externalIds[0]!;
  server.push(token, echo);
  await handled(bot, 2);
  expect(await listedConversations(ann)).toMatchObject([{ lead: "twin", messageCount: 2 }]);
  server.push(token, server.sayAsBot(token, ivan, "Я сам отвечу"));
  await handled(bot, 3);
  server.say(token, ivan, "Хорошо, жду");
  await handled(bot, 4);
  await t.jobsIdle();
  expect(await listedConversations(ann)).toMatchObject([{ lead: "me", messageCount: 4 }]);
  const [talk] = await listedConversations(ann);
  expect((await transcript(ann, talk!.id)).map(({ author }) => author ?? null)).toContain("owner");
  expect(sentTo(chat)).toHaveLength(1);
});
