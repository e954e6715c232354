/** An act that waits for its owner is shown in his own chat with the bot, and decided there by one button. */
import { eq, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { addTool, bookingTool } from "#server/test/actions/actions-bench.ts";
import { type BotBench, botBench, type ConnectedBot, WAIT } from "#server/test/channels/bot-bench.ts";
import { buildContact, buildConversation } from "#server/test/factories/build-rows.ts";
import { type ShopServer, startShopServer } from "#server/test/servers/shop-server.ts";
import { actCard } from "./act-card.ts";

let bench: BotBench;
let shop: ShopServer;
beforeAll(async () => {
  shop = await startShopServer();
  bench = await botBench();
});
afterAll(async () => {
  await bench.close();
  await shop.close();
});

async function linkedChat({ owner, integration, token }: ConnectedBot): Promise<number> {
  const made = await owner.post(`/api/integrations/${integration.id}/owner-chat`);
  const chat = bench.person();
  bench.telegram.say(token, chat, `/start ${new URL(made.json().url).searchParams.get("start")}`);
  const named = async () => (await owner.get(`/api/integrations/${integration.id}/owner-chat`)).json().name;
  await expect.poll(named, WAIT).toBe("Иван");
  return chat;
}

/** A contact has confirmed a booking. */
async function waitingAct(
  { owner, twinId, integration }: ConnectedBot,
  time: string,
  ownerQuestion: string | null = null,
): Promise<string> {
  const { db } = bench.t.services;
  const place = { orgId: owner.caller.organizationId, twinId };
  const input =
    ownerQuestion === null ? bookingTool(shop.origin) : bookingTool(shop.origin, { method: "GET" }, { changes: false });
  const tool = await addTool(owner, twinId, input);
  return asTenant(db, owner.caller, async (tx) => {
    const { id: contactId } = await buildContact(tx, place, { name: "Пётр" });
    const who = {
      integrationId: integration.id,
      externalId: String(bench.person()),
      participantName: "Пётр",
      contactId,
    };
    const talk = await buildConversation(tx, place, who);
    const [act] = await tx
      .insert(acts)
      .values({
        ...{ ...place, toolId: tool.id, conversationId: talk.id, contactId, title: tool.title },
        ...{ changes: ownerQuestion === null, ownerQuestion },
        ...{ state: "waiting-owner", target: "POST 127.0.0.1/bookings", question: "Всё верно?" },
        arguments: [{ name: "time", label: "Время", value: time }],
      })
      .returning({ id: acts.id });
    return act!.id;
  });
}

const cardWith = async (chat: number, text: string) => {
  const found = () =>
    [...bench.telegram.standing]
      .map(([messageId, message]) => ({ messageId, ...message }))
      .find((card) => card.chatId === String(chat) && card.text.includes(text));
  await expect.poll(found, { ...WAIT, message: text }).toBeDefined();
  // The message id is stored as soon as no send is in progress.
  const leaving = () => bench.t.services.db.$count(ownerNotices, isNotNull(ownerNotices.sendingSince));
  await expect.poll(leaving, WAIT).toBe(0);
  return found()!;
};

test("it says what will be called with what; «Выполнить» calls once, «Отклонить» not at all, and the card shows the outcome", async () => {
  shop.answers.set("/bookings", { json: { number: "B-9" } });
  const bot = await bench.connect();
  const chat = await linkedChat(bot);
  const done = await waitingAct(bot, "15:00");
  const card = await cardWith(chat, "Действие ждёт решения");
  for (const words of ["Запись на обжарку", "15:00", "POST 127.0.0.1/bookings", "Пётр", "Всё верно?"])
    expect(card.text).toContain(words);
  expect(card.buttons.map(({ text }) => text)).toEqual(["Выполнить", "Отклонить"]);
  bench.telegram.press(bot.token, chat, card.messageId, card.buttons[0]!);
  bench.telegram.press(bot.token, chat, card.messageId, card.buttons[0]!);
  const after = await cardWith(chat, "Действие выполнено");
  expect([after.text.includes("B-9"), after.buttons]).toEqual([true, []]);
  expect(shop.requests.map(({ headers }) => headers["idempotency-key"])).toEqual([done]);

  await waitingAct(bot, "17:30");
  const second = await cardWith(chat, "17:30");
  bench.telegram.press(bot.token, chat, second.messageId, second.buttons[1]!);
  expect((await cardWith(chat, "Действие отклонено")).text).toContain("17:30");
  expect(shop.requests).toHaveLength(1);
});

test("a question is answered by a reply to the bot, and the contact gets the words", async () => {
  const bot = await bench.connect();
  const chat = await linkedChat(bot);
  const id = await waitingAct(bot, "19:00", "Есть ли латте?");
  const card = await cardWith(chat, "Есть ли латте?");
  expect(card.buttons.map(({ text }) => text)).toEqual(["Ответить", "Отклонить"]);
  bench.telegram.press(bot.token, chat, card.messageId, card.buttons[0]!);
  const prompt = () => bench.telegram.sent.findLast((sent) => sent.chatId === String(chat) && sent.forceReply);
  await expect.poll(prompt, WAIT).toBeDefined();
  const stored = () => bench.t.services.db.$count(ownerNotices, isNotNull(ownerNotices.askedIn));
  await expect.poll(stored, WAIT).toBe(1);
  bench.telegram.say(bot.token, chat, "Да, на овсяном", { reply_to_message: { message_id: prompt()!.messageId } });
  expect((await cardWith(chat, "Действие выполнено")).text).toContain("Да, на овсяном");
  const [told] = await bench.t.services.db.select().from(outbox).where(eq(outbox.text, "Да, на овсяном"));
  expect(told).toMatchObject({ decidedBy: bot.owner.caller.userId });
  expect((await bot.owner.post(`/api/acts/${id}/answer`, { text: "Нет" })).statusCode).toBe(409);
});

test("the card of an unknown outcome says so and has no button", () => {
  const act = {
    ...{ title: "Запись", contactName: "Пётр", twinName: "Анна", platform: "telegram" as const, target: null },
    ...{ arguments: [], result: [], question: null, ownerQuestion: null, reason: "Система не ответила вовремя" },
  };
  const card = actCard({ ...act, state: "unknown" }, "1", false);
  expect([card.title, card.buttons]).toEqual(["Неизвестно, выполнено ли действие: проверьте у себя", []]);
  expect(card.lines).toContainEqual({ label: "Почему", text: "Система не ответила вовремя" });
});
