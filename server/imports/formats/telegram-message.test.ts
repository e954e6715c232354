import { expect, test } from "vitest";
import { reasons } from "./message.ts";
import { DELETED_ACCOUNT, personId, readTelegramMessage, sentWithin, telegramChat } from "./telegram-message.ts";

test.each([
  [
    { type: "personal_chat", id: 7, name: "Анна" },
    { id: "user7", name: "Анна", kind: "private" },
  ],
  [{ id: "7" }, { id: "user7", name: DELETED_ACCOUNT, kind: "private" }],
  [
    { type: "saved_messages", id: 7 },
    { id: "saved7", name: "Избранное", kind: "saved" },
  ],
  [
    { type: "bot_chat", id: 7 },
    { id: "user7", name: "Бот", kind: "channel" },
  ],
  [{ type: "verification_codes" }, { id: "user-position-3", name: "Бот", kind: "channel" }],
  [
    { type: "public_channel", id: 7 },
    { id: "channel7", name: "Канал", kind: "channel" },
  ],
  [
    { type: "private_group", id: 7 },
    { id: "chat7", name: "Группа", kind: "group" },
  ],
  [
    { type: "private_supergroup", id: 7, name: null },
    { id: "channel7", name: "Группа", kind: "group" },
  ],
])("the chat %j is %j", (head, chat) => {
  expect(telegramChat(head, 3)).toEqual(chat);
});

test("an author is known by his id in each form of it, else by his name, and nobody by nothing", () => {
  expect([personId("user7", "Анна"), personId(7, "Анна"), personId("7", "Анна")]).toEqual(["user7", "user7", "user7"]);
  expect(personId("channel7", null)).toBe("channel7");
  expect(personId(undefined, "Анна")).toBe("name:Анна");
  expect(personId("", "")).toBe("");
});

test("a time before Telegram or far ahead is unknown", () => {
  expect(sentWithin(1_700_000_000)).toEqual(new Date(1_700_000_000_000));
  for (const seconds of [Number.NaN, 0, 9_999_999_999]) expect(sentWithin(seconds)).toBeNull();
});

const read = (json: string | Buffer | object) =>
  readTelegramMessage(
    Buffer.isBuffer(json) ? json : Buffer.from(typeof json === "string" ? json : JSON.stringify(json)),
    {
      ...{ chatId: "user7", line: 1, clock: () => new Date(0) },
    },
  );

test.each<[string, string | Buffer | object, string]>([
  ["that is no JSON", "{]", reasons.notParsed],
  ["with bytes that are no UTF-8", Buffer.from('{"text":"\xff"}', "latin1"), reasons.notUtf8],
  ["with NUL", { text: "а\0" }, reasons.notStorable],
  ["whose text is a number", { text_entities: 7 }, reasons.notParsed],
  ["with a part that is no text", { text: ["а", { type: "bold" }] }, reasons.notParsed],
])("a message %s is rejected with its reason", (_, json, reason) => {
  expect(read(json)).toBe(reason);
});

test("a text is whole from its parts, and a message without one is media, a service message or another person's", () => {
  expect(read({ text: ["Смотри: ", { type: "link", text: "a.test" }] })).toMatchObject({ text: "Смотри: a.test" });
  expect(read({ text: "", text_entities: [{ type: "plain", text: "Да" }] })).toMatchObject({
    text: "Да",
    kind: "text",
  });
  expect(read({ text: "" })).toMatchObject({ text: "", kind: "media", sentAt: null, authorId: "" });
  expect(read({ type: "service", actor: "Анна", actor_id: "user7" })).toMatchObject({
    kind: "service",
    authorId: "user7",
  });
  expect(read({ text: "Да", forwarded_from: null })).toMatchObject({ kind: "forward" });
});

test("what is answered in another chat is no answer here, and a date without a zone is read by the chat's clock", () => {
  expect(read({ reply_to_message_id: 5 })).toMatchObject({ replyTo: "5" });
  expect(read({ reply_to_message_id: 5, reply_to_peer_id: "channel1" })).toMatchObject({ replyTo: null });
  expect(read({ date: "2024-03-12T14:05:00" })).toMatchObject({ sentAt: new Date(0) });
  expect(read({ date: "вчера", from: "", from_id: "user7" })).toMatchObject({
    ...{ sentAt: null, authorName: DELETED_ACCOUNT },
  });
});
