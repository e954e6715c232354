/** A preview is fetched by the platform as soon as a link is shown: what stands in its address has left by then. */
import { expect, test } from "vitest";
import { startDiscordServer } from "#server/test/servers/discord-server.ts";
import { startSlackServer } from "#server/test/servers/slack-server.ts";
import { startTelegramServer } from "#server/test/servers/telegram-server.ts";
import { startWhatsappServer } from "#server/test/servers/whatsapp-server.ts";
import { discord } from "../../discord/discord.ts";
import type { Channel, Outgoing } from "../../protocol/channel.ts";
import { slack } from "../../slack/slack.ts";
import { telegramBot } from "../../telegram/bot.ts";
import { whatsapp } from "../../whatsapp/whatsapp.ts";

interface Server {
  root: string;
  previews: string[];
  sent: unknown[];
  close(): Promise<void>;
}

const PLATFORMS: [string, () => Promise<Server>, (root: string) => Channel][] = [
  [
    "Telegram",
    startTelegramServer,
    (apiRoot) => telegramBot({ token: "42:token-of-a-bot-0123456789abcdefghij", apiRoot }),
  ],
  [
    "WhatsApp",
    startWhatsappServer,
    (graphUrl) =>
      whatsapp({ accessToken: "EAA-1", appSecret: null, phoneNumber: null, phoneNumberId: "1055501", graphUrl }),
  ],
  [
    "Slack",
    startSlackServer,
    (apiUrl) => slack({ botToken: "xoxb-1", signingSecret: null, appToken: null, teamId: "T1", apiUrl }),
  ],
  ["Discord", startDiscordServer, (apiUrl) => discord({ token: "good.draft", apiUrl })],
];

test.each(PLATFORMS)("%s is told not to show previews of links in an answer", async (_name, start, open) => {
  const server = await start();
  const out: Outgoing = {
    key: "8b6f2a4e-0000-4000-8000-000000000000",
    conversation: "100",
    context: {},
    lastInboundAt: new Date(),
    text: "Прайс: https://shop.example/price",
    delivered: 0,
  };
  try {
    expect(await open(server.root).send(out)).toMatchObject({ ok: true });
    expect(server.sent).toHaveLength(1);
    expect(server.previews).toEqual([]);
  } finally {
    await server.close();
  }
});

test("a bot's own messages to its owner have no previews either", async () => {
  const server = await startTelegramServer();
  const { desk } = telegramBot({ token: "42:token-of-a-bot-0123456789abcdefghij", apiRoot: server.root });
  const card = { title: "Черновик", lines: [], quotes: [{ label: "Иван", text: "https://evil.example" }], buttons: [] };
  await desk!.show("5", card);
  await desk!.say("5", "https://evil.example");
  expect(server.sent).toHaveLength(2);
  expect(server.previews).toEqual([]);
  await server.close();
});
