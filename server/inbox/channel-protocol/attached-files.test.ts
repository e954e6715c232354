/**
 * Tests how channels describe recordings and pictures, and how originals are fetched: with the key if needed, only from the platform's
 * hosts.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { discord } from "#server/inbox/channels/discord/discord.ts";
import { reportedOf as discordEvent } from "#server/inbox/channels/discord/message.ts";
import { reportedOf as maxEvent } from "#server/inbox/channels/max/update.ts";
import { reportedOf as slackEvent } from "#server/inbox/channels/slack/event.ts";
import { slack } from "#server/inbox/channels/slack/slack.ts";
import { attachmentsOf } from "#server/inbox/channels/vk/attachments.ts";
import { type Provider, type ProviderRequest, startProvider } from "#server/test/servers/provider-server.ts";
import type { Inbound } from "./channel.ts";
import { fetchOriginal, MediaUnavailable } from "./fetch-media.ts";

let platform: Provider;
const asked: ProviderRequest[] = [];
beforeAll(async () => {
  platform = await startProvider((request, response) => {
    asked.push(request);
    const to = request.query.get("to");
    if (to === null) response.writeHead(200).end("bytes");
    else response.writeHead(302, { location: to }).end();
  });
});
afterAll(() => platform.close());

const limits = { maxBytes: 1000, signal: AbortSignal.timeout(10_000) };

test("a file in Slack is fetched with the bot's key, which goes to no other host", async () => {
  const channel = slack({
    ...{ botToken: "xoxb-key", signingSecret: null, appToken: null, teamId: null, apiUrl: `${platform.root}/api/` },
  });
  const url = `${platform.root}/files-pri/T1-F1/voice.m4a`;
  const file = { mimetype: "audio/mp4", url_private: url, size: 5, duration_ms: 4200 };
  const event = { type: "message", channel_type: "im", channel: "D1", user: "U1", text: "", ts: "1700000000.000100" };
  const files = [file, { mimetype: "application/pdf", url_private: "x" }];
  const body = { type: "event_callback", event_id: "E1", team_id: "T1", event: { ...event, files } };
  const { media } = slackEvent(body, "T1") as Inbound;
  expect(media).toEqual([{ kind: "speech", name: "Аудио", at: { url }, bytes: 5, seconds: 4.2 }]);
  expect((await channel.fetchMedia!(media![0]!.at, limits)).toString()).toBe("bytes");
  expect(asked.at(-1)!.headers.authorization).toBe("Bearer xoxb-key");
  const elsewhere = channel.fetchMedia!({ url: "https://files.slack.example/a" }, limits);
  await expect(elsewhere).rejects.toBeInstanceOf(MediaUnavailable);
});

test("a voice message in Discord is fetched from Discord alone, without the bot's key", async () => {
  const url = `${platform.root}/attachments/1/2/voice-message.ogg`;
  const attachment = { id: "2", filename: "voice-message.ogg", url, proxy_url: url, size: 5, duration_secs: 3.5 };
  const message = {
    ...{
      id: "1",
      channel_id: "7",
      content: "",
      timestamp: "2026-11-25T00:00:00Z",
      type: 0,
      flags: 1 << 13,
      mentions: [],
    },
    author: { id: "5", username: "ivan", discriminator: "0", global_name: null, avatar: null },
    attachments: [{ ...attachment, content_type: "audio/ogg" }],
  };
  const { media } = discordEvent(message) as Inbound;
  expect(media).toEqual([{ kind: "speech", name: "Голосовое сообщение", at: { url }, bytes: 5, seconds: 3.5 }]);
  const channel = discord({ token: "key", apiUrl: platform.root });
  expect((await channel.fetchMedia!(media![0]!.at, limits)).toString()).toBe("bytes");
  expect(asked.at(-1)!.headers.authorization).toBeUndefined();
  for (const foreign of ["https://cdn.discordapp.com.evil.test/a", "http://cdn.discordapp.com/a"])
    await expect(channel.fetchMedia!({ url: foreign }, limits)).rejects.toBeInstanceOf(MediaUnavailable);
});

test("a platform leads on to its own hosts alone, so often and no more, and a key does not go along", async () => {
  const place = { hosts: ["files.platform.test"], apiUrl: platform.root, headers: { authorization: "Bearer key" } };
  const led = (to: string) => `${platform.root}/a?to=${encodeURIComponent(to)}`;
  const fetched = (url: string, redirects?: number) =>
    fetchOriginal({ ...place, url, ...(redirects === undefined ? {} : { redirects }) }, limits).then(String);
  expect(await fetched(led("/b"), 1)).toBe("bytes");
  expect(asked.slice(-2).map(({ headers }) => headers.authorization)).toEqual(["Bearer key", undefined]);
  const before = asked.length;
  await expect(fetched(led("/b"))).rejects.toBeInstanceOf(MediaUnavailable);
  await expect(fetched(led(led("/b")), 1)).rejects.toBeInstanceOf(MediaUnavailable);
  const foreign = [
    "http://127.0.0.1:1/",
    "http://169.254.169.254/",
    "https://me@files.platform.test/",
    "file:///etc/passwd",
  ];
  for (const to of foreign) await expect(fetched(led(to), 3)).rejects.toBeInstanceOf(MediaUnavailable);
  expect(asked).toHaveLength(before + 7);
});

test("of a photo in VK the largest is fetched, a document only where it is sound or a picture, and odd shapes only lose themselves", () => {
  const sizes = [
    { url: "https://sun1.userapi.com/m", width: 130, height: 87 },
    { url: "https://sun1.userapi.com/w", width: 1280, height: 853 },
    { url: "https://sun1.userapi.com/s", width: 75, height: 50 },
  ];
  const document = (type: number) => ({ type: "doc", doc: { url: "https://vk.com/doc1_2", type, size: 7 } });
  const odd = [
    { type: "photo", photo: { sizes: "none" } },
    { type: "audio_message", audio_message: 7 },
  ];
  expect(attachmentsOf([{ type: "photo", photo: { sizes } }, document(4), document(5), document(1), ...odd])).toEqual({
    names: ["Фото", "Документ", "Документ", "Документ", "Фото", "Голосовое сообщение"],
    heard: ["", "", ""],
    media: [
      { kind: "picture", name: "Фото", at: { url: sizes[1]!.url } },
      { kind: "picture", name: "Документ", at: { url: "https://vk.com/doc1_2" }, bytes: 7 },
      { kind: "speech", name: "Документ", at: { url: "https://vk.com/doc1_2" }, bytes: 7 },
    ],
  });
});

test("of files in MAX those are fetched whose names promise something to read, also of forwarded messages", () => {
  const file = (filename: string) => ({ type: "file", filename, size: 7, payload: { url: "https://fd.oneme.ru/a" } });
  const message = {
    sender: { user_id: 5, first_name: "Иван" },
    recipient: { chat_id: 7, chat_type: "dialog", user_id: 9 },
    timestamp: 1_795_000_000_000,
    body: { mid: "m1", text: "", attachments: [file("Прайс.PNG"), file("Договор.pdf"), { type: "image", payload: 7 }] },
    link: { type: "forward", message: { attachments: [file("звонок.m4a")] } },
  };
  expect((maxEvent({ update_type: "message_created", message }, "9") as Inbound).media).toEqual([
    { kind: "picture", name: "Файл", at: { url: "https://fd.oneme.ru/a" }, bytes: 7 },
    { kind: "speech", name: "Файл", at: { url: "https://fd.oneme.ru/a" }, bytes: 7 },
  ]);
});
