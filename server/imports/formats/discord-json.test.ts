import { expect, test } from "vitest";
import { discordJson } from "./discord-json.ts";
import { type ImportEvent, reasons } from "./message.ts";

async function read(head: object, messages: object[] = [{}]): Promise<ImportEvent[]> {
  const events: ImportEvent[] = [];
  async function* bytes() {
    yield Buffer.from(JSON.stringify({ ...head, messages }));
  }
  for await (const event of discordJson.read(bytes())) events.push(event);
  return events;
}
const direct = {
  guild: { id: "0", name: "Direct Messages" },
  channel: { id: "1", type: "DirectTextChat", name: "anna" },
};
const message = async (raw: object) => (await read(direct, [raw]))[1];

test.each<[object, object]>([
  [direct, { id: "discord-1", name: "anna", kind: "private" }],
  [
    { guild: { name: "Дача" }, channel: { id: "2", type: "GuildTextChat", name: "общий" } },
    { id: "discord-2", name: "Дача: общий", kind: "group" },
  ],
  [
    { guild: { name: "Дача" }, channel: { id: "3", type: "GuildNews" } },
    { id: "discord-3", name: "Дача: Discord", kind: "channel" },
  ],
  [
    { guild: { name: "Direct Messages" }, channel: { id: "4", type: "DirectGroupTextChat", name: "трое" } },
    { id: "discord-4", name: "трое", kind: "group" },
  ],
  [{ channel: { id: "5", name: "сам" } }, { id: "discord-5", name: "сам", kind: "group" }],
])("the channel of %j is %j", async (head, chat) => {
  expect((await read(head))[0]).toEqual({ type: "chat", chat });
});

test("a message keeps what is known of it, and what is not a text or a time is unknown", async () => {
  const author = { id: "7", name: "anna", nickname: "Анна" };
  const whole = {
    ...{ id: "9", type: "Reply", timestamp: "2024-03-12T14:05:00+03:00", content: "Да", author },
    reference: { messageId: "8" },
  };
  const known = { externalId: "9", authorId: "7", authorName: "Анна", text: "Да", replyTo: "8", kind: "text" };
  expect(await message(whole)).toMatchObject({ message: { ...known, sentAt: new Date("2024-03-12T11:05:00Z") } });
  const bare = { id: 9, type: "Default", timestamp: 5, author: { id: "7" }, reference: {} };
  expect(await message(bare)).toMatchObject({
    message: { externalId: null, authorId: "7", authorName: "7", text: "", sentAt: null, replyTo: null, kind: "media" },
  });
});

test("joins are service messages, and a bot's or a forwarded message is another's", async () => {
  const kind = async (raw: object) => ((await message(raw)) as { message?: { kind: string } }).message?.kind;
  expect(await kind({ type: "GuildMemberJoin" })).toBe("service");
  expect(await kind({ type: "Default", content: "Да", author: { isBot: true } })).toBe("forward");
  expect(await kind({ type: "Default", content: "Да", forwardedMessage: {} })).toBe("forward");
});

test("a message whose text is no text, or cannot be stored, is rejected with its reason", async () => {
  expect(await message({ content: 7 })).toEqual({ type: "rejected", line: 1, reason: reasons.notParsed });
  expect(await message({ content: "а\0" })).toEqual({ type: "rejected", line: 1, reason: reasons.notStorable });
});
