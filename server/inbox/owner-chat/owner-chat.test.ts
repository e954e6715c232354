/** Approvals by buttons: a member decides on drafts in his own chat with the twin's bot. */
import { and, eq, isNotNull } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Corrections } from "#contract/corrections.ts";
import type { Notice } from "#server/inbox/channel-protocol/channel.ts";
import { telegramBot } from "#server/inbox/channels/telegram/bot.ts";
import { reportedOf } from "#server/inbox/channels/telegram/update.ts";
import { receiveOne } from "#server/inbox/receiving/receive.ts";
import { memberships } from "#server/platform/db/schema/accounts.ts";
import { ownerChats } from "#server/platform/db/schema/channels.ts";
import { inboxEvents, outbox, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";
import { type BotBench, botBench, type ConnectedBot, WAIT } from "#server/test/channels/bot-bench.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { notifyOwner } from "./notify-owner.ts";

let bench: BotBench;
beforeAll(async () => {
  bench = await botBench();
});
afterAll(() => bench.close());
afterEach(() => {
  vi.useRealTimers();
});

const pathOf = ({ integration }: ConnectedBot) => `/api/integrations/${integration.id}/owner-chat`;

async function codeFor(bot: ConnectedBot, client: TestClient): Promise<string> {
  const made = await client.post(pathOf(bot));
  expect(made.statusCode, made.body).toBe(200);
  const url = new URL(made.json().url);
  expect(url.origin + url.pathname).toBe(`https://t.me/${bot.integration.account!.slice(1)}`);
  return url.searchParams.get("start")!;
}

async function linked(bot: ConnectedBot, client = bot.owner): Promise<number> {
  const chat = bench.person();
  bench.telegram.say(bot.token, chat, `/start ${await codeFor(bot, client)}`);
  await expect.poll(async () => (await client.get(pathOf(bot))).json().name, WAIT).toBe("Иван");
  return chat;
}

/** Creates drafts like those of channels, without waiting for the end of a burst. */
async function waiting({ owner, twinId, integration }: ConnectedBot, ...texts: string[]) {
  const { db } = bench.t.services;
  const place = { orgId: owner.caller.organizationId, integrationId: integration.id };
  const who = { integrationId: integration.id, externalId: String(bench.person()), participantName: "Пётр" };
  const talk = await buildConversation(db, { orgId: place.orgId, twinId }, who);
  const at = Date.now();
  const rows = texts.map((text, n) => ({
    ...place,
    conversationId: talk.id,
    question: "Почём?",
    text,
    confidence: 0.42,
    secrecy: "organization" as const,
    createdAt: new Date(at + n),
  }));
  const made = await db
    .insert(outbox)
    .values(rows.map((row) => ({ ...row, state: "draft" as const, reason: "Двойник не уверен в ответе" })))
    .returning();
  return { talk, contact: Number(talk.externalId), drafts: made };
}

const cardsOf = (chat: number) =>
  [...bench.telegram.standing]
    .filter(([, { chatId, text }]) => chatId === String(chat) && text.startsWith("<b>"))
    .map(([messageId, message]) => ({ messageId, ...message }));
const cardWith = async (chat: number, text: string | RegExp) => {
  const found = () => cardsOf(chat).find((card) => card.text.match(text));
  await expect.poll(found, { ...WAIT, message: String(text) }).toBeDefined();
  // The message id is stored as soon as no send is in progress.
  const leaving = () => bench.t.services.db.$count(ownerNotices, isNotNull(ownerNotices.sendingSince));
  await expect.poll(leaving, WAIT).toBe(0);
  return found()!;
};
const told = async () => {
  await expect.poll(() => bench.telegram.pressed.length, WAIT).toBeGreaterThan(0);
  return bench.telegram.pressed.splice(0).at(-1);
};
const labels = ({ buttons }: { buttons: { text: string }[] }) => buttons.map(({ text }) => text);

test("a draft from any of the twin's channels can be sent, changed and rejected in the member's own chat, and by no other member", async () => {
  const { t, telegram, sentTo, connect } = bench;
  const bot = await connect();
  const { owner, token } = bot;
  const [stranger, other] = [bench.person(), await connect("draft")];
  telegram.say(token, stranger, `/start owner_${"x".repeat(43)}`);
  await expect.poll(() => sentTo(stranger), WAIT).toEqual([expect.stringMatching(/^Ссылка устарела/)]);
  const code = await codeFor(bot, owner);
  const chat = bench.person();
  telegram.say(token, chat, `/start ${code}`);
  await expect.poll(() => sentTo(chat), WAIT).toEqual([expect.stringMatching(/^Готово/)]);
  telegram.say(token, stranger, `/start ${code}`);
  await expect.poll(() => sentTo(stranger).length, WAIT).toBe(2);
  const rows = await t.services.db.select().from(ownerChats).where(eq(ownerChats.integrationId, bot.integration.id));
  expect(rows).toMatchObject([{ userId: owner.caller.userId, chatId: String(chat), codeHash: null }]);

  // Another channel of the same twin, and a colleague with his own chat.
  const moved = await owner.post("/api/integrations/create", {
    digitalTwinId: bot.twinId,
    platform: "telegram",
    apiKey: "99:token-of-a-bot-0123456789abcdefghij",
  });
  const second = { ...bot, token: "99:token-of-a-bot-0123456789abcdefghij", integration: moved.json() };
  const colleague = await t.signUp({ organizationId: owner.caller.organizationId });
  const theirs = await linked(bot, colleague);
  const asked = await waiting(second, "<Триста> рублей & доставка");
  const card = await cardWith(chat, "доставка");
  expect(card.text).toBe(
    "<b>Черновик ждёт решения</b>\n\nСобеседник: Пётр, Telegram\nДвойник: Анна\nПочему ждёт: Двойник не уверен в ответе\n" +
      "Уверенность: 42\u00A0%\n\n<b>Вопрос</b>\n<blockquote>Почём?</blockquote>\n\n<b>Ответ двойника</b>\n" +
      "<blockquote>&lt;Триста&gt; рублей &amp; доставка</blockquote>",
  );
  expect(labels(card)).toEqual(["Отправить", "Изменить", "Отклонить"]);
  const [send, edit] = card.buttons as [(typeof card.buttons)[number], (typeof card.buttons)[number]];
  const foreign = await cardWith(theirs, "доставка");
  expect(foreign.buttons[0]!.callback_data).not.toBe(send.callback_data);

  telegram.press(token, stranger, card.messageId, send);
  expect(await told()).toMatchObject({ text: "Эта кнопка не для вас", alert: true });
  telegram.press(token, theirs, foreign.messageId, send);
  expect(await told()).toMatchObject({ text: "Этого черновика больше нет", alert: true });
  expect(sentTo(asked.contact)).toEqual([]);
  telegram.press(token, chat, card.messageId, edit);
  await expect.poll(() => telegram.sent.findLast((sent) => sent.chatId === String(chat))?.forceReply, WAIT).toBe(true);
  const prompt = telegram.sent.findLast((sent) => sent.chatId === String(chat))!;
  await told();
  telegram.say(token, chat, "просто так");
  await expect.poll(() => sentTo(chat).at(-1), WAIT).toMatch(/^Здесь вы решаете/);
  telegram.say(token, chat, "Четыреста", { reply_to_message: { message_id: prompt.messageId } });
  await expect.poll(() => sentTo(asked.contact), WAIT).toEqual([expect.stringMatching(/Четыреста$/)]);
  expect(labels(await cardWith(chat, /^<b>Ответ отправлен<\/b>[\s\S]*Четыреста/))).toEqual([]);
  expect(labels(await cardWith(theirs, /^<b>Ответ отправлен/))).toEqual([]);
  const kept = await t.services.db.select().from(replyFeedback).where(eq(replyFeedback.twinId, bot.twinId));
  expect(kept).toMatchObject([{ correction: "Четыреста", userId: owner.caller.userId }]);
  // An answer sent from the chat is not learnt automatically: it waits for the owner's decision.
  const { corrections, waiting: undecided } = (
    await owner.get(`/api/digital-twins/${bot.twinId}/corrections`)
  ).json<Corrections>();
  expect(corrections).toEqual([]);
  expect(undecided.map(({ correction }) => correction)).toEqual(["Четыреста"]);
  telegram.press(token, theirs, foreign.messageId, foreign.buttons[0] ?? send);
  await told();

  // The member's own texts are not stored as a contact's messages.
  const heard = await t.services.db.select().from(inboxEvents).where(eq(inboxEvents.integrationId, bot.integration.id));
  expect(heard.every(({ inbound, status }) => inbound === null && status === "done")).toBe(true);
  expect((await owner.delete(pathOf(bot))).statusCode).toBe(204);
  telegram.press(token, chat, card.messageId, edit);
  expect(await told()).toMatchObject({ text: "Эта кнопка не для вас" });
  expect(await bench.approvals(other.owner)).toEqual([]);
});

/** Creates a member's chat in which only the test acts, at chosen times. */
async function byHand(bot: ConnectedBot, client = bot.owner) {
  const { t, telegram } = bench;
  await bench.supervisor.stop();
  const { id } = bot.integration;
  const integration = { id, ...bot.owner.caller };
  const { ownerChat } = telegramBot({ token: bot.token, apiRoot: telegram.root });
  const deps = { ...t.services, jobs: { ...t.services.jobs, enqueue: async () => {} } };
  const chat = bench.person();
  let now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now });
  const later = (ms: number) => {
    now += ms;
    vi.setSystemTime(now);
  };
  const mine = and(eq(ownerChats.integrationId, id), eq(ownerChats.userId, client.caller.userId));
  const hand = {
    chat,
    later,
    says: (text: string) =>
      receiveOne(deps, { integration, ownerChat }, reportedOf(telegram.privateMessage(chat, text))),
    press: (messageId: number, button: { callback_data: string }) =>
      reportedOf(telegram.press("1:nobody-asks", chat, messageId, button)) as Notice,
    takes: (notice: Notice) => receiveOne(deps, { integration, ownerChat }, notice),
    row: async () => (await t.services.db.select().from(ownerChats).where(mine))[0],
    async tell() {
      later(2_000);
      const ownerChatId = (await hand.row())?.id ?? id;
      await notifyOwner(t.services, { ...client.caller, ownerChatId }, new AbortController().signal);
    },
    titles: () => cardsOf(chat).map((card) => [card.text.match(/<b>([^<]*)/)![1], labels(card)]),
  };
  return hand;
}

test("a decision made in one place holds everywhere, and losing the right to decide ends the chat", async () => {
  const bot = await bench.connect();
  const { owner } = bot;
  const colleague = await bench.t.signUp({ organizationId: owner.caller.organizationId });
  const mine = await byHand(bot);
  await mine.says(`/start ${await codeFor(bot, owner)}`);
  await waiting(bot, "Да, конечно");
  await mine.tell();
  const { drafts } = await waiting(bot, "Нет, простите");
  await mine.tell();
  const [yes] = cardsOf(mine.chat);
  await mine.takes(mine.press(yes!.messageId, yes!.buttons[0]!));
  expect(await told()).toMatchObject({ text: "Отправляем", alert: false });
  for (const button of yes!.buttons) {
    await mine.takes(mine.press(yes!.messageId, button));
    expect(await told()).toMatchObject({ text: "Этот ответ уже отправлен или отклонён", alert: true });
  }
  await owner.post(`/api/approvals/${drafts[0]!.id}/reject`);
  await mine.tell();
  expect(mine.titles()).toEqual([
    ["Ответ отправляется", []],
    ["Черновик отклонён", []],
  ]);

  const theirs = await byHand(bot, colleague);
  await theirs.says(`/start ${await codeFor(bot, colleague)}`);
  const { userId, organizationId } = colleague.caller;
  const member = and(eq(memberships.userId, userId), eq(memberships.orgId, organizationId));
  await bench.t.services.db.update(memberships).set({ role: "user" }).where(member);
  await waiting(bot, "Ещё один");
  await theirs.tell();
  expect(theirs.titles()).toEqual([]);
  expect(await theirs.row()).toBeUndefined();
  expect((await colleague.post(pathOf(bot))).statusCode).toBe(403);
});

test("a draft is shown once even if its message is lost, and can be decided only in the version that was read", async () => {
  const { t, telegram, connect } = bench;
  const { db } = t.services;
  const bot = await connect();
  const { owner } = bot;
  const { chat, later, says, press, takes, row: chatRow, tell, titles } = await byHand(bot);
  const [stale, code] = [await codeFor(bot, owner), await codeFor(bot, owner)];
  await says(`/start ${stale}`);
  later(16 * 60_000);
  await says(`/start ${code}`);
  expect(bench.sentTo(chat)).toEqual([
    expect.stringMatching(/^Ссылка устарела/),
    expect.stringMatching(/^Ссылка устарела/),
  ]);
  await says(`/start ${await codeFor(bot, owner)}`);
  const row = await chatRow();

  // The process is killed while sending, then asked to wait, then cut off after Telegram's acceptance.
  const { drafts } = await waiting(bot, "Да");
  await db
    .insert(ownerNotices)
    .values({ orgId: row!.orgId, ownerChatId: row!.id, outboxId: drafts[0]!.id, sendingSince: new Date() });
  telegram.script({ kind: "rate-limited", retryAfter: 30 }, { kind: "reset-after-accept" });
  await tell();
  later(20_000);
  await tell();
  expect(cardsOf(chat)).toEqual([]);
  later(20_000);
  await tell();
  later(60_000);
  await tell();
  await tell();
  const [first, second, ...more] = cardsOf(chat);
  expect(more).toEqual([]);
  expect(second!.text).toContain("Повтор: прошлое сообщение могло не дойти");
  const [send] = first!.buttons;
  await takes(press(first!.messageId, send!));
  expect(await told()).toMatchObject({ text: expect.stringMatching(/^Черновик изменился/), alert: true });
  await tell();
  await owner.put(`/api/approvals/${drafts[0]!.id}`, { text: "Да, завтра" });
  await takes(press(first!.messageId, send!));
  expect(await told()).toMatchObject({ text: expect.stringMatching(/^Черновик изменился/) });
  await tell();
  await owner.put("/api/stop-switch", { stopped: true });
  await takes(press(second!.messageId, send!));
  expect(await told()).toMatchObject({ text: "Все двойники остановлены: сначала включите их" });
  await waiting(bot, "Нет");
  await tell();
  expect(cardsOf(chat)).toHaveLength(2);
  await owner.put("/api/stop-switch", { stopped: false });
  await tell();
  expect(cardsOf(chat)).toHaveLength(3);
  const no = cardsOf(chat)[2]!;
  const refusal = press(no.messageId, no.buttons[2]!);
  await takes(refusal);
  await takes(refusal);
  expect(telegram.pressed.splice(0)).toEqual([{ text: "Черновик отклонён", alert: false }]);
  await takes(press(first!.messageId, send!));
  await tell();
  expect(titles()).toEqual([
    ["Ответ отправляется", []],
    ["Ответ отправляется", []],
    ["Черновик отклонён", []],
  ]);

  // A forgotten contact's texts are removed from the chat too; a member who blocks the bot has no chat any more.
  await db.delete(outbox).where(eq(outbox.id, drafts[0]!.id));
  await tell();
  expect(cardsOf(chat).filter(({ text }) => text === "<b>Черновик удалён</b>")).toHaveLength(2);
  await waiting(bot, "Может быть");
  telegram.script({ kind: "error", status: 403, description: "Forbidden: bot was blocked by the user" });
  await tell();
  expect((await owner.get(pathOf(bot))).json()).toEqual({ name: null, linkedAt: null });
  await says(`/start ${await codeFor(bot, owner)}`);
  await owner.delete(`/api/digital-twins/${bot.twinId}`);
  const sends = telegram.sends;
  await tell();
  expect(telegram.sends).toBe(sends);
  expect(await db.select().from(ownerChats).where(eq(ownerChats.integrationId, bot.integration.id))).toEqual([]);
});
