import { expect, test } from "vitest";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { reportedOf } from "./message.ts";

const anna = { id: "20", username: "anna", global_name: "Анна" };
const received = (more: object) =>
  reportedOf({
    ...{ id: "1000000000000000000", channel_id: "30", author: anna, type: 0, content: "", mentions: [] },
    ...{ attachments: [], timestamp: "2024-03-12T11:05:00.000Z", flags: 0 },
    ...more,
  }) as Inbound | null;
const file = (content_type: string | undefined, more: object = {}) => ({
  ...{ id: "1", url: "https://cdn.discordapp.com/1", size: 10, content_type },
  ...more,
});

test.each<[string, object]>([
  ["a message in a server's channel", { content: "Да", guild_id: "1" }],
  ["a bot's message", { content: "Да", author: { ...anna, bot: true } }],
  ["a message of Discord itself", { content: "Да", author: { ...anna, system: true } }],
  ["the notice of a call", { content: "Да", type: 3 }],
])("%s is not for the twin", (_, more) => {
  expect(received(more)).toBeNull();
});

test("mentions and emoji are read as their author saw them, and a person without a display name has his user name", () => {
  const content = "<@20>, <@!21> и <@22>: <:ok:55> <a:wave:56>";
  const mentions = [anna, { id: "21", username: "boris", global_name: null }];
  expect(received({ content, mentions })!.text).toBe("@Анна, @boris и <@22>: :ok: :wave:");
  expect(received({ content: "Да", author: { ...anna, global_name: null } })!.peer).toEqual({ id: "20", name: "anna" });
});

test("of files it is known what they are, and which can be read", () => {
  const attachments = [file("image/png"), file("audio/ogg", { duration_secs: 3 }), file("text/plain"), file(undefined)];
  const inbound = received({ attachments, sticker_items: [{ id: "1" }], flags: undefined })!;
  expect(inbound.attachments).toEqual(["Фото", "Аудио", "Файл", "Файл", "Стикер"]);
  const at = { url: "https://cdn.discordapp.com/1" };
  expect(inbound.media).toEqual([
    { kind: "picture", name: "Фото", at, bytes: 10 },
    { kind: "speech", name: "Аудио", at, bytes: 10, seconds: 3 },
  ]);
  const voice = received({ attachments: [file("audio/ogg")], flags: 8192 })!;
  expect(voice.attachments).toEqual(["Голосовое сообщение"]);
  expect(voice.media).toEqual([{ kind: "speech", name: "Голосовое сообщение", at, bytes: 10 }]);
  expect(received({ attachments: [file("video/mp4")] })).not.toHaveProperty("media");
});
