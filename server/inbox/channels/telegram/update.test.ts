import type { Update } from "grammy/types";
import { expect, test } from "vitest";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { chatOf, reportedOf } from "./update.ts";

const ivan = { id: 700, is_bot: false, first_name: "Иван" };
const message = (more: object = {}) => ({
  ...{ message_id: 5, date: 1_700_000_000, from: ivan, chat: { id: 700, type: "private", first_name: "Иван" } },
  ...more,
});
const update = (more: object) => ({ update_id: 9, ...more }) as unknown as Update;
const received = (more: object) => reportedOf(update({ message: message(more) })) as Inbound | null;
const business = (more: object) =>
  reportedOf(update({ business_message: message({ business_connection_id: "c1", text: "Да", ...more }) }));

test.each<[object, object | undefined, string]>([
  [
    { voice: { file_id: "f", duration: 3, file_size: 10 } },
    { kind: "speech", name: "Голосовое сообщение", at: { fileId: "f" }, bytes: 10, seconds: 3 },
    "Голосовое сообщение",
  ],
  [
    { audio: { file_id: "f", duration: 3 } },
    { kind: "speech", name: "Аудио", at: { fileId: "f" }, seconds: 3 },
    "Аудио",
  ],
  [
    { photo: [{ file_id: "small" }, { file_id: "large", file_size: 20 }] },
    { kind: "picture", name: "Фото", at: { fileId: "large" }, bytes: 20 },
    "Фото",
  ],
  [
    { document: { file_id: "f", mime_type: "image/png" } },
    { kind: "picture", name: "Файл", at: { fileId: "f" } },
    "Файл",
  ],
  [{ document: { file_id: "f", mime_type: "image/svg+xml" } }, undefined, "Файл"],
  [{ document: { file_id: "f" } }, undefined, "Файл"],
  [{ sticker: { file_id: "f" } }, undefined, "Стикер"],
])("of %j it is known what it is, and whether it can be read", (content, media, name) => {
  expect(received(content)).toMatchObject({ text: "", attachments: [name] });
  expect(received(content)!.media?.[0]).toEqual(media);
});

test("a link's code and the answered message belong to the bot; other words after «/start» are no code", () => {
  expect(received({ text: "/start abc-1", reply_to_message: { message_id: 4 } })!.toBot).toEqual({
    ...{ code: "abc-1", replyTo: "4" },
  });
  expect(received({ text: "/start два слова" })!.toBot).toEqual({});
});

test("people have the name they show, and a program's message is marked as automatic", () => {
  const named = (from: object) => received({ text: "Да", from: { ...ivan, ...from } })!;
  expect(named({ last_name: "Петров", username: "ivan" }).peer).toEqual({
    ...{ id: "user700", name: "Иван Петров", handle: "@ivan" },
  });
  expect(named({ first_name: "" }).peer).toEqual({ id: "user700", name: "Без имени" });
  expect(named({ is_bot: true }).automated).toBe(true);
  expect(received({ text: "Да", via_bot: { id: 1 } })!.automated).toBe(true);
  expect(named({}).automated).toBe(false);
});

test.each<[string, Update]>([
  ["a group's message", update({ message: message({ text: "Да", chat: { id: -1, type: "group" } }) })],
  ["a message without content", update({ message: message({ new_chat_title: "Чат" }) })],
  ["a group's business message", update({ business_message: message({ chat: { id: -1, type: "group" } }) })],
  ["an update of another kind", update({ poll: {} })],
])("%s is not for the twin", (_, sent) => {
  expect(reportedOf(sent)).toBeNull();
});

test("in a connected account the contact is the other person of the chat, also when the owner writes; a bot's and scheduled messages are left out", () => {
  const place = { conversation: "business:c1:700", peer: { id: "user700", name: "Иван" }, messageId: "5" };
  expect(business({})).toMatchObject({ ...place, fromOwner: false, lentBy: "c1" });
  expect(business({ from: { ...ivan, id: 100, first_name: "Пётр" } })).toMatchObject({ ...place, fromOwner: true });
  expect(business({ sender_business_bot: ivan })).toBeNull();
  expect(business({ is_from_offline: true })).toBeNull();
  expect(business({ text: undefined, new_chat_title: "Чат" })).toBeNull();
  expect(chatOf("business:c1:700")).toEqual({ chat: "700", connection: "c1" });
  expect(chatOf("700")).toEqual({ chat: "700", connection: null });
});

test("deletions in a connected account are changes of its messages", () => {
  const chat = { id: 700, type: "private" };
  const deleted = { business_connection_id: "c1", chat, message_ids: [5, 6] };
  expect(reportedOf(update({ deleted_business_messages: deleted }))).toEqual({
    conversation: "business:c1:700",
    messages: { by: "position", ids: [5, 6] },
    content: null,
  });
});

test("a connection may answer only with the right to, and a button under a message that is no longer known belongs to none", () => {
  const connection = { id: "c1", user: ivan, is_enabled: true };
  const change = (more: object) => reportedOf(update({ business_connection: { ...connection, ...more } }));
  expect(change({})).toEqual({
    connection: { externalId: "c1", name: "Иван", canReply: false, enabled: true },
    order: 9,
  });
  expect(change({ rights: { can_reply: true } })).toMatchObject({ connection: { canReply: true } });
  const press = (more: object) => reportedOf(update({ callback_query: { id: "p", from: ivan, ...more } }));
  expect(press({})).toEqual({ press: { id: "p", by: "700", chat: "", messageId: "", data: "" }, eventId: "9" });
  expect(press({ data: "d", message: message() })).toMatchObject({ press: { chat: "700", messageId: "5", data: "d" } });
});
