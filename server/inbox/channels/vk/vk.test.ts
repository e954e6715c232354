import { expect, test } from "vitest";
import { community, out, prepareVkClient, sentTo, server } from "#server/test/channels/vk-client-bench.ts";
import { startProvider } from "#server/test/servers/provider-server.ts";
import { reportedOf } from "./event.ts";

prepareVkClient();

const event = (message: object, type = "message_new") => ({
  type,
  group_id: 7,
  event_id: "e",
  v: "5.199",
  object: {
    message: {
      id: 5,
      date: 1_795_000_000,
      peer_id: 21,
      from_id: 21,
      conversation_message_id: 3,
      text: "",
      attachments: [],
      ...message,
    },
  },
});

test("a long answer goes on behind its delivered parts, and a part that is sent again arrives once", async () => {
  const long = Array.from({ length: 900 }, (_, place) => `Слово${place}`).join(" ");
  const rest = out("11", long, { delivered: 1 });
  for (const _again of [1, 2]) {
    expect(await community().send(rest)).toMatchObject({ ok: true, externalIds: [expect.stringMatching(/^\d+$/)] });
  }
  expect(sentTo(11)).toMatchObject([{ text: expect.stringMatching(/Слово899$/) }]);
  await community().send(out("12", "**Да**, [сайт](https://a.ru/)"));
  expect(sentTo(12)).toMatchObject([{ text: "Да, сайт: https://a.ru/" }]);
});

test.each([
  [5, "auth", /не принимает ключ/],
  [6, "retry", /просит подождать/],
  [7, "blocked", /не разрешает/],
  [9, "retry", /писать реже/],
  [10, "unknown", /неизвестно/],
  [14, "retry", /не программа/],
  [15, "auth", /не хватает прав/],
  [29, "retry", /Дневной лимит/],
  [900, "blocked", /чёрном списке/],
  [901, "blocked", /запретил/],
  [902, "blocked", /ограничил/],
  [912, "invalid", /Возможности ботов/],
  [913, "invalid", /пересланных/],
  [914, "invalid", /слишком длинное/],
  [100, "invalid", /не принял/],
])("error %i of a send is reported to the owner as %s", async (code, kind, message) => {
  const refused = {
    kind: "refused",
    status: 200,
    body: { error: { error_code: code, error_msg: "текст VK" } },
  } as const;
  server.fates.await("16", refused, refused, refused);
  const result = await community().send(out("16", "Да"));
  expect(result).toMatchObject({ ok: false, kind, message: expect.stringMatching(message) });
  expect(JSON.stringify(result)).not.toContain("текст VK");
  // Uses up the remaining scripted responses of this code.
  for (let left = code === 10 ? 0 : 2; left > 0; left--) await community().send(out("16", "Да"));
});

test("who has forbidden messages is not written to at all", async () => {
  const before = server.sends;
  expect(await community().send(out("17", "Да", { context: { denied: true } }))).toMatchObject({
    kind: "blocked",
    message: "Собеседник запретил сообществу писать ему во ВКонтакте",
  });
  expect(server.sends).toBe(before);
});

test("an unreachable VK is no refusal, neither of a key nor of an answer", async () => {
  const { root, close } = await startProvider(() => {});
  await close();
  expect(await community({ apiUrl: root }).send(out("18", "Да"))).toMatchObject({ kind: "retry", away: true });
  const trouble = await community({ apiUrl: root })
    .verify()
    .catch((error: unknown) => error);
  expect(trouble).toMatchObject({ kind: "away", message: "ВКонтакте недоступен" });
});

test.each([
  [{ attachments: [{ type: "photo" }, { type: "doc" }], text: "смотри" }, "смотри", ["Фото", "Документ"]],
  [{ attachments: [{ type: "audio_message", audio_message: {} }] }, "", ["Голосовое сообщение"]],
  [
    { attachments: [{ type: "audio_message", audio_message: { transcript: "Сколько стоит чай" } }] },
    "Сколько стоит чай",
    ["Голосовое сообщение"],
  ],
  [{ attachments: [{ type: "market", market: { title: "Чайник «Луч»" } }] }, "", ["Товар: Чайник «Луч»"]],
  [{ attachments: [{ type: "sticker" }, { type: "video" }] }, "", ["Стикер", "Видео"]],
  [{ attachments: [{ type: "what_comes_next" }] }, "", ["Сообщение, которого двойник не читает: what_comes_next"]],
  [{ fwd_messages: [{}, {}] }, "", ["Пересланное сообщение"]],
  [{ geo: { type: "point" } }, "", ["Геопозиция"]],
])("what comes in is said in words: %o", (message, text, attachments) => {
  expect(reportedOf(event(message), 7)).toMatchObject({
    eventId: "21:3",
    conversation: "21",
    peer: { id: "id21" },
    text,
    attachments,
  });
});

test.each([
  ["of a group chat", event({ peer_id: 2_000_000_001, text: "всем" })],
  ["of another community", { ...event({ text: "не нам" }), group_id: 8 }],
  ["from a community", event({ peer_id: -5, from_id: -5, text: "реклама" })],
  ["that we have sent", event({ from_id: -7, text: "наш ответ" }, "message_reply")],
  ["about the conversation itself", event({ action: { type: "chat_title_update" } })],
  ["that is no message", { type: "group_join", group_id: 7, object: { user_id: 1 } }],
  ["that is nothing", null],
])("a message %s is not for the twin", (_which, body) => {
  expect(reportedOf(body, 7)).toBeNull();
});

test("a manager's own answer is the owner's, in the conversation with its contact", () => {
  const byHand = event({ from_id: -7, admin_author_id: 77, text: "Я сам" }, "message_reply");
  for (const body of [byHand, { ...byHand, object: byHand.object.message }]) {
    expect(reportedOf(body, 7)).toMatchObject({
      conversation: "21",
      fromOwner: true,
      text: "Я сам",
      peer: { id: "id21" },
    });
  }
});
