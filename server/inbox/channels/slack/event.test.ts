import { expect, test } from "vitest";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { reportedOf } from "./event.ts";

const received = (event: object, teamId: string | null = "T1") =>
  reportedOf(
    {
      ...{ type: "event_callback", event_id: "Ev1", team_id: "T1" },
      event: { type: "message", channel_type: "im", channel: "D1", user: "U1", ts: "1700000000.000100", ...event },
    },
    teamId,
  ) as Inbound | null;

test.each<[object, string]>([
  [{ text: "См. <https://a.test/?a=1&amp;b=2>" }, "См. https://a.test/?a=1&b=2"],
  [{ text: "<https://a.test|сайт>, <#C1|общий>, <@U2|anna>" }, "сайт, #общий, anna"],
  [{ text: "<@U2> <!here> <!subteam^S1>" }, "@U2 @here @S1"],
  [{ text: "1 &lt; 2 &gt; 0" }, "1 < 2 > 0"],
])("%j is read as its author saw it", ({ text }: { text?: string }, plain) => {
  expect(received({ text })!.text).toBe(plain);
});

test("of files it is known what they are, and which can be read", () => {
  const files = [
    { mimetype: "image/png", url_private: "https://files.slack.com/1", size: 10 },
    { mimetype: "audio/mp4", url_private: "https://files.slack.com/2", duration_ms: 1500 },
    { mimetype: "image/png" },
    { mimetype: "application/pdf", url_private: "https://files.slack.com/3" },
    {},
  ];
  const inbound = received({ subtype: "file_share", files })!;
  expect(inbound.attachments).toEqual(["Фото", "Аудио", "Фото", "Файл", "Файл"]);
  expect(inbound.media).toEqual([
    { kind: "picture", name: "Фото", at: { url: "https://files.slack.com/1" }, bytes: 10 },
    { kind: "speech", name: "Аудио", at: { url: "https://files.slack.com/2" }, seconds: 1.5 },
  ]);
  expect(received({ text: "Да" })).not.toHaveProperty("media");
});

test("an answer goes into the thread that was asked in", () => {
  expect(received({ text: "Да", thread_ts: "1.2" })!.context).toEqual({ threadTs: "1.2" });
  expect(received({ text: "Да" })!.context).toEqual({});
});

test.each<[string, object, string | null]>([
  ["a message of another workspace", { text: "Да" }, "T2"],
  ["a bot's message", { text: "Да", bot_id: "B1" }, "T1"],
  ["a message in a channel", { text: "Да", channel_type: "channel" }, "T1"],
])("%s is not for the twin", (_, event, team) => {
  expect(received(event, team)).toBeNull();
});

test("before the workspace is known its messages are taken", () => {
  expect(received({ text: "Да" }, null)).toMatchObject({ text: "Да", position: 1_700_000_000_000_100 });
});
