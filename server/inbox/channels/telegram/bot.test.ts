import { afterAll, beforeAll, expect, test } from "vitest";
import { untroubled } from "#server/test/channels/channel-journey.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { telegramBot } from "./bot.ts";
import { reportedOf } from "./update.ts";

const TOKEN = "42:token-of-a-bot-0123456789abcdefghij";
let telegram: TelegramServer;
beforeAll(async () => {
  telegram = await startTelegramServer();
});
afterAll(() => telegram.close());

const bot = (options: { apiRoot?: string; sendMs?: number } = {}) =>
  telegramBot({ token: TOKEN, apiRoot: telegram.root, partMs: 0, ...options });
const out = (text: string, delivered = 0) => ({
  key: "8b6f2a4e-0000-4000-8000-000000000000",
  conversation: "5",
  context: {},
  lastInboundAt: null,
  text,
  delivered,
});
const LONG = Array.from({ length: 900 }, (_, place) => `Слово${place}`).join(" ");

test("a long answer is sent as several messages, and parts that an earlier attempt has delivered are not sent again", async () => {
  telegram.sent.length = 0;
  telegram.script({ kind: "slow", ms: 1 }, { kind: "rate-limited", retryAfter: 3 });
  const first = await bot().send(out(LONG));
  expect(first).toEqual({
    ok: false,
    kind: "retry",
    afterMs: 3000,
    message: expect.any(String),
    externalIds: [expect.any(String)],
  });
  const second = await bot().send(out(LONG, first.externalIds.length));
  expect(second).toMatchObject({ ok: true });
  expect(telegram.sent.map(({ text }) => text).join(" ")).toBe(LONG);
  for (const { text } of telegram.sent) expect(text.length).toBeLessThanOrEqual(4096);
});

test("marks that Telegram does not accept are sent as plain text", async () => {
  telegram.sent.length = 0;
  telegram.script({ kind: "error", status: 400, description: "Bad Request: can't parse entities: …" });
  expect(await bot().send(out("**Да** & нет"))).toMatchObject({ ok: true });
  expect(telegram.sent).toMatchObject([{ text: "**Да** & нет", parseMode: undefined }]);
});

test("a message in a topic of a private chat is answered in its topic", async () => {
  telegram.sent.length = 0;
  await bot().send({ ...out("Да"), context: { threadId: 116834 } });
  await bot().send({ ...out("Нет"), context: {} });
  expect(telegram.sent.map(({ topic }) => topic)).toEqual([116834, undefined]);
});

test("a send without an answer is unknown after its time limit; with an unreachable server it may be tried again", async () => {
  telegram.script({ kind: "hang" });
  expect(await bot({ sendMs: 200 }).send(out("Да"))).toMatchObject({ ok: false, kind: "unknown" });
  expect(await bot({ apiRoot: "http://127.0.0.1:9" }).send(out("Да"))).toMatchObject({ ok: false, kind: "retry" });
});

test("no error message quotes the token", async () => {
  telegram.revoked.add(TOKEN);
  for (const channel of [bot(), bot({ apiRoot: "http://127.0.0.1:9" })]) {
    const trouble = await channel.verify().catch((error: unknown) => error);
    expect(trouble).toBeInstanceOf(Error);
    expect(JSON.stringify([String(trouble), (trouble as Error).cause ?? null, (trouble as Error).stack])).not.toContain(
      TOKEN,
    );
  }
  telegram.revoked.delete(TOKEN);
});

test("a second process that polls the same bot is reported as a conflict", async () => {
  const receiving = () => ({
    ...untroubled,
    cursor: {},
    state: { load: async () => new Map(), save: async () => {} },
    emit: async () => {},
    connected: async () => {},
    signal: AbortSignal.timeout(3000),
  });
  const first = bot().receive(receiving());
  await new Promise((resolve) => setTimeout(resolve, 300));
  const second = bot().receive(receiving());
  await expect(first).rejects.toMatchObject({ kind: "conflict" });
  await second;
});

test("any incoming update can be read: groups and joins are ignored, media are named", () => {
  const from = { id: 7, is_bot: false, first_name: "Анна", last_name: "К" };
  const message = {
    message_id: 3,
    date: 1_795_000_000,
    chat: { id: 7, type: "private" as const, first_name: "А" },
    from,
  };
  const update = (more: object) => ({ update_id: 9, message: { ...message, ...more } }) as never;
  expect(reportedOf(update({ text: " Привет\u0000 " }))).toEqual({
    eventId: "9",
    conversation: "7",
    position: 3,
    peer: { id: "user7", name: "Анна К" },
    text: "Привет",
    attachments: [],
    sentAt: "2026-11-18T11:06:40.000Z",
    toBot: {},
    automated: false,
  });
  expect(reportedOf(update({ photo: [], caption: "смотри" }))).toMatchObject({ text: "смотри", attachments: ["Фото"] });
  expect(reportedOf(update({ chat: { id: -1, type: "group", title: "Г" }, text: "все" }))).toBeNull();
  expect(reportedOf({ update_id: 1 } as never)).toBeNull();
});
