import { expect, test } from "vitest";
import { type ImportEvent, reasons } from "./message.ts";
import { OWN_CHATS, ownChats, ownPlatformOf } from "./own-chats.ts";

const format = ownChats[0]!;
const head = { format: OWN_CHATS, version: 1, platform: "telegram", owner: { id: "user1", name: "Пётр" } };
const chat = { chat: { id: "user2", name: "Анна", kind: "private" } };
const message = {
  id: "1",
  at: "2024-03-12T11:05:00.000Z",
  fromId: "user2",
  from: "Анна",
  text: "Привет",
  kind: "text",
};

async function read(lines: readonly (object | string)[], end = "\n"): Promise<ImportEvent[]> {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n") + end;
  const events: ImportEvent[] = [];
  async function* bytes() {
    yield Buffer.from(text);
  }
  for await (const event of format.read(bytes())) events.push(event);
  return events;
}
const whole = { type: "end", incomplete: false };

test("a file of a platform that cannot be imported again is of a chat", () => {
  expect(ownPlatformOf("vk")).toBe("vk");
  expect(ownPlatformOf("web")).toBe("chat");
});

test("a byte order mark does not hide the format, and another version is not taken for it", () => {
  const first = JSON.stringify(head);
  expect(format.detect(Buffer.from(`\uFEFF${first}`))).toBe(true);
  expect(format.detect(Buffer.from(first.replace('"version":1', '"version":2')))).toBe(false);
});

test("a message keeps its id, time, author, kind and what it answers; a time that is none is unknown", async () => {
  const events = await read([head, chat, { ...message, kind: "said", replyTo: "0" }, { ...message, at: "вчера" }]);
  const read1 = { chatId: "user2", externalId: "1", authorId: "user2", authorName: "Анна", text: "Привет" };
  expect(events).toEqual([
    { type: "owner", authorId: "user1" },
    { type: "chat", chat: { id: "user2", name: "Анна", kind: "private" } },
    { type: "message", message: { ...read1, sentAt: new Date(message.at), replyTo: "0", kind: "said", line: 3 } },
    { type: "message", message: { ...read1, sentAt: null, replyTo: null, kind: "text", line: 4 } },
    whole,
  ]);
});

test.each<[string, object | string, string]>([
  ["no JSON", "{", reasons.notParsed],
  ["no object", "7", reasons.notParsed],
  ["an unknown kind", { ...message, kind: "video" }, reasons.notParsed],
  ["a text that is a number", { ...message, text: 7 }, reasons.notParsed],
  ["a NUL", { ...message, text: "а\0б" }, reasons.notStorable],
  ["half a character in the answered id", { ...message, replyTo: "\ud83d" }, reasons.notStorable],
  ["an answered id that is a number", { ...message, replyTo: 7 }, reasons.notStorable],
])("a line with %s is rejected, and the next one is read", async (_, line, reason) => {
  const [, , rejected, next, end] = await read([head, chat, line, message]);
  expect(rejected).toEqual({ type: "rejected", line: 3, reason });
  expect(next).toMatchObject({ type: "message", message: { line: 4 } });
  expect(end).toEqual(whole);
});

test.each([
  { id: 7, name: "Анна", kind: "private" },
  { id: "a\0", name: "Анна", kind: "private" },
  { id: "user3", name: null, kind: "private" },
  { id: "user3", name: "Анна", kind: "club" },
  null,
])("messages of a chat that cannot be read (%j) are not put into the chat before it", async (broken) => {
  const events = await read([{ ...head, owner: null }, chat, { chat: broken }, message]);
  expect(events.slice(1)).toEqual([
    { type: "rejected", line: 3, reason: reasons.notParsed },
    { type: "rejected", line: 4, reason: reasons.notParsed },
    whole,
  ]);
});

test("a file that breaks off in a line gives what came before", async () => {
  const events = await read([head, chat, message, '{"id":"2","at"'], "");
  expect(events.slice(2)).toMatchObject([
    { type: "message", message: { externalId: "1" } },
    { type: "end", incomplete: true, error: expect.stringContaining("обрывается") },
  ]);
});
