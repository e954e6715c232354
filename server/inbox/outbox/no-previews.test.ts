/** A platform fetches a link's preview as soon as the link is shown, so secrets in the URL would leak before anyone clicks. */

import { expect, test } from "vitest";
import type { ChannelPlatform } from "#contract/integrations/integrations.ts";
import { CHANNEL_PLATFORMS } from "#contract/platforms.ts";
import type { Outgoing } from "#server/inbox/channel-protocol/channel.ts";
import { type Credentials, openChannel } from "#server/inbox/channels/registry.ts";
import { telegramBot } from "#server/inbox/channels/telegram/bot.ts";
import { readConfig } from "#server/platform/config.ts";
import { startDiscordServer } from "#server/test/servers/discord-server.ts";
import { maxToken, startMaxServer } from "#server/test/servers/max-server.ts";
import { startSlackServer } from "#server/test/servers/slack-server.ts";
import { startTelegramServer } from "#server/test/servers/telegram-server.ts";
import { startVkServer, vkKey } from "#server/test/servers/vk-server.ts";
import { startWhatsappServer } from "#server/test/servers/whatsapp-server.ts";

interface Server {
  root: string;
  /** Texts that arrived without the request to show no previews. */
  previews: string[];
  sent: unknown[];
  close(): Promise<void>;
}

interface Attack {
  start(): Promise<Server>;
  address: string;
  credentials: Credentials;
  accountId: string | null;
}

const TOKEN = "42:token-of-a-bot-0123456789abcdefghij";

/** Each platform, including a new one, is attacked here or states why it fetches no link of an answer. */
const ATTACKS: Record<ChannelPlatform, Attack | string> = {
  telegram: {
    start: startTelegramServer,
    address: "TELEGRAM_API_ROOT",
    credentials: { platform: "telegram", botToken: TOKEN, user: null },
    accountId: null,
  },
  whatsapp: {
    start: startWhatsappServer,
    address: "WHATSAPP_GRAPH_URL",
    credentials: { platform: "whatsapp", accessToken: "EAA-1", appSecret: null, phoneNumber: null },
    accountId: "1055501",
  },
  slack: {
    start: startSlackServer,
    address: "SLACK_API_URL",
    credentials: { platform: "slack", botToken: "xoxb-1", webhookUrl: null, signingSecret: null, appToken: null },
    accountId: "T1",
  },
  discord: {
    start: startDiscordServer,
    address: "DISCORD_API_URL",
    credentials: { platform: "discord", botToken: "good.draft" },
    accountId: null,
  },
  max: {
    start: startMaxServer,
    address: "MAX_API_URL",
    credentials: { platform: "max", botToken: maxToken(1) },
    accountId: "1",
  },
  vk: {
    start: startVkServer,
    address: "VK_API_URL",
    credentials: { platform: "vk", token: vkKey(1) },
    accountId: "1",
  },
  email: "the reader's own program shows a letter, and no header of a letter speaks of previews",
  web: "our own page shows the answer, and it fetches nothing",
};

const attacked = CHANNEL_PLATFORMS.flatMap((platform) => {
  const attack = ATTACKS[platform];
  return typeof attack === "string" ? [] : [[platform, attack] as const];
});

test.each(attacked)("%s receives the flag that disables link previews in an answer", async (_platform, attack) => {
  const { start, address, credentials, accountId } = attack;
  const server = await start();
  const config = readConfig({ NODE_ENV: "test", [address]: server.root });
  const channel = openChannel(credentials, config, { id: "8b6f2a4e-0000-4000-8000-000000000001", accountId })!;
  const out: Outgoing = {
    key: "8b6f2a4e-0000-4000-8000-000000000000",
    conversation: "100",
    context: {},
    lastInboundAt: new Date(),
    text: "Прайс: https://shop.example/price",
    delivered: 0,
  };
  try {
    expect(await channel.send(out)).toMatchObject({ ok: true });
    expect(server.sent).toHaveLength(1);
    expect(server.previews).toEqual([]);
  } finally {
    await server.close();
  }
});

test("a bot's own messages to its owner have no previews either", async () => {
  const server = await startTelegramServer();
  const { ownerChat } = telegramBot({ token: TOKEN, apiRoot: server.root });
  const card = { title: "Черновик", lines: [], quotes: [{ label: "Иван", text: "https://evil.example" }], buttons: [] };
  await ownerChat!.show("5", card);
  await ownerChat!.say("5", "https://evil.example");
  expect(server.sent).toHaveLength(2);
  expect(server.previews).toEqual([]);
  await server.close();
});
