/** What Slack and Discord tell of recordings and pictures, and how they are fetched: with the key where it is wanted, from the platform alone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Provider, type ProviderRequest, startProvider } from "#server/test/servers/provider-server.ts";
import { discord } from "../discord/discord.ts";
import { type DiscordMessage, inboundOf as discordInbound } from "../discord/message.ts";
import { inboundOf as slackInbound } from "../slack/event.ts";
import { slack } from "../slack/slack.ts";
import { MediaLost } from "./fetch-media.ts";

let platform: Provider;
const asked: ProviderRequest[] = [];
beforeAll(async () => {
  platform = await startProvider((request, response) => {
    asked.push(request);
    response.writeHead(200).end("bytes");
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
  const { media } = slackInbound(body, "T1")!;
  expect(media).toEqual([{ kind: "speech", name: "Аудио", at: { url }, bytes: 5, seconds: 4.2 }]);
  expect((await channel.fetchMedia!(media![0]!.at, limits)).toString()).toBe("bytes");
  expect(asked.at(-1)!.headers.authorization).toBe("Bearer xoxb-key");
  const elsewhere = channel.fetchMedia!({ url: "https://files.slack.example/a" }, limits);
  await expect(elsewhere).rejects.toBeInstanceOf(MediaLost);
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
  } as unknown as DiscordMessage;
  const { media } = discordInbound(message)!;
  expect(media).toEqual([{ kind: "speech", name: "Голосовое сообщение", at: { url }, bytes: 5, seconds: 3.5 }]);
  const channel = discord({ token: "key", apiUrl: platform.root });
  expect((await channel.fetchMedia!(media![0]!.at, limits)).toString()).toBe("bytes");
  expect(asked.at(-1)!.headers.authorization).toBeUndefined();
  for (const foreign of ["https://cdn.discordapp.com.evil.test/a", "http://cdn.discordapp.com/a"])
    await expect(channel.fetchMedia!({ url: foreign }, limits)).rejects.toBeInstanceOf(MediaLost);
});
