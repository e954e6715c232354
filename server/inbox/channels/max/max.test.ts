import { expect, test } from "vitest";
import { readConfig } from "#server/platform/config.ts";
import { aSecond, bot, CHAT, out } from "#server/test/channels/max-client-bench.ts";
import { maxMessage, maxStart, startMaxServer } from "#server/test/servers/max-server.ts";
import { answer, startProvider } from "#server/test/servers/provider-server.ts";
import { startTlsModel } from "#server/test/servers/remote-model-servers.ts";
import { reportedOf } from "./update.ts";

test("words whose marks MAX does not understand go once more without them", async () => {
  const server = await startMaxServer();
  server.strictMarks = true;
  expect(await bot(server.root).send(out("Скидка **10 %"))).toMatchObject({ ok: true });
  expect(server.sent).toEqual([{ chat: CHAT, text: "Скидка **10 %", format: null }]);
  await server.close();
});

test.each([
  ["no answer came", { kind: "hang-after-accept" } as const],
  ["the line was cut", { kind: "reset-after-accept" } as const],
])("where %s, the message is found in the conversation and not sent again", async (_name, fate) => {
  const server = await startMaxServer();
  // The same text, sent before, proves nothing.
  await bot(server.root).send(out("**Да**, [прайс](https://shop.example/price)"));
  await aSecond();
  // The message appears late, and the first check fails.
  server.lagMs = 100;
  server.blind = 1;
  server.fates.await(CHAT, fate);
  const sent = await bot(server.root, { sendMs: 300, looksMs: [10, 50, 300] }).send(
    out("**Да**, [прайс](https://shop.example/price)"),
  );
  expect(sent).toEqual({ ok: true, externalIds: ["mid.out2"] });
  expect(server.sent).toHaveLength(2);
  expect(server.faults).toEqual([]);
  await server.close();
});

test("after the death of a sender an answer's parts are found in their order, without its being sent", async () => {
  const server = await startMaxServer();
  const before = new Date();
  const long = Array.from({ length: 900 }, (_, place) => `Слово${place}`).join(" ");
  expect(await bot(server.root).arrived!(out(long), before)).toMatchObject({ ok: false, externalIds: [] });
  await bot(server.root).send(out(long));
  expect(await bot(server.root).arrived!(out(long), before)).toMatchObject({ ok: true, externalIds: { length: 2 } });
  expect(await bot(server.root).arrived!(out(`${long} и ещё`), before)).toMatchObject({
    ok: false,
    kind: "unknown",
    externalIds: ["mid.out1"],
  });
  expect(server.sends).toBe(2);
  await server.close();
});

test.each([
  [401, {}, { kind: "auth" }],
  [403, {}, { kind: "blocked", message: "Собеседник остановил бота или закрыл диалог" }],
  [404, {}, { kind: "blocked", message: "Такого диалога в MAX больше нет" }],
  [400, {}, { kind: "invalid" }],
  [429, {}, { kind: "retry", afterMs: 2_000 }],
  [429, { "retry-after": "7" }, { kind: "retry", afterMs: 7_000 }],
])("%i is reported with its meaning", async (status, headers, expected) => {
  const server = await startProvider((_request, response) => answer(response, status, { code: "x" }, headers));
  expect(await bot(server.root).send(out("Да"))).toMatchObject({ ok: false, externalIds: [], ...expected });
  await server.close();
});

test("a server that is not there, or whose certificate is not trusted, has taken nothing", async () => {
  const { root, close } = await startProvider(() => {});
  await close();
  expect(await bot(root).send(out("Да"))).toMatchObject({ ok: false, kind: "retry", message: "MAX недоступен" });
  const tls = await startTlsModel((response) => answer(response, 200, { user_id: 1, username: "shop1_bot" }));
  expect(await bot(tls.baseUrl).send(out("Да"))).toMatchObject({
    ok: false,
    kind: "retry",
    away: true,
    message: expect.stringContaining("корневой сертификат Минцифры"),
  });
  await expect(bot(tls.baseUrl).verify()).rejects.toThrow(/MAX_CA_FILE/);
  // A setting makes this platform's connections trust the certificate.
  const { maxRoots } = readConfig({ NODE_ENV: "test", MAX_CA_FILE: tls.rootFile });
  expect(await bot(tls.baseUrl, { roots: maxRoots }).verify()).toEqual({ id: "1", name: "@shop1_bot" });
  await expect(bot(tls.baseUrl).verify()).rejects.toThrow();
  await expect(fetch(tls.baseUrl)).rejects.toThrow();
  await tls.close();
  expect(() => readConfig({ NODE_ENV: "test", MAX_CA: "не сертификат" })).toThrow(/MAX_CA: ожидались корневые/);
});

test("a token that no header takes is refused, not thrown about", async () => {
  const server = await startMaxServer();
  await expect(bot(server.root, { token: "a\nb: c" }).verify()).rejects.toThrow("MAX не принимает ключ бота");
  await server.close();
});

test("updates become messages: names, attachments, what is forwarded; what is not for the twin becomes nothing", () => {
  const read = (update: unknown) => reportedOf(update, "1");
  const photo = maxMessage(1, 5, "", {
    attachments: [{ type: "image" }, { type: "image" }, { type: "inline_keyboard" }],
  });
  expect(read(photo)).toMatchObject({
    conversation: CHAT,
    peer: { id: "max5", name: "Иван" },
    text: "",
    attachments: ["Фото", "Фото"],
    automated: false,
  });
  const forward = { type: "forward", message: { text: "Акция!", attachments: [{ type: "video" }] } };
  expect(read(maxMessage(1, 5, "Это правда?", { link: forward, sender: { username: "ivan" } }))).toMatchObject({
    peer: { handle: "@ivan" },
    text: "Это правда?\nАкция!",
    attachments: ["Видео"],
  });
  // The replied-to message is an earlier one.
  const reply = { type: "reply", message: { text: "раньше" } };
  expect(read(maxMessage(1, 5, "Да", { link: reply }))).toMatchObject({ text: "Да" });
  expect(read(maxMessage(1, 5, "я бот", { sender: { is_bot: true } }))).toMatchObject({ automated: true });
  expect(read(maxStart("bot_started", 5, 1_000))).toMatchObject({
    text: "/start",
    eventId: `bot_started ${CHAT} 5 1000`,
  });
  expect(read(maxStart("bot_stopped", 5))).toMatchObject({ stopped: true, joinsOnly: true, text: "" });
  for (const nothing of [
    maxMessage(1, 5, "в группе", { chatType: "chat" }),
    { update_type: "message_callback", timestamp: 1 },
    null,
    [],
    "текст",
    {},
  ]) {
    expect(read(nothing)).toBeNull();
  }
  const { message } = maxMessage(1, 5, "Привет");
  for (const broken of [
    { update_type: "message_created", message: { ...message, timestamp: "вчера" } },
    // An id beyond a double's precision would denote another chat.
    { update_type: "message_created", message: { ...message, recipient: { ...message.recipient, chat_id: 2 ** 60 } } },
    { update_type: "bot_stopped" },
  ]) {
    expect(read(broken)).toHaveProperty("unread");
  }
});
