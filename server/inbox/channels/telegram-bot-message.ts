import { randomUUID } from "node:crypto";
import type { SendResult } from "#server/inbox/channel-protocol/channel.ts";
import { telegramBot } from "./telegram/bot.ts";

/** Sends one message by a bot that is not a connected channel, such as the installation's own. */
export const sendByTelegramBot = (
  bot: { token: string; apiRoot: string },
  { chat, text }: { chat: string; text: string },
): Promise<SendResult> =>
  telegramBot(bot).send({
    key: randomUUID(),
    conversation: chat,
    context: {},
    lastInboundAt: null,
    text,
    delivered: 0,
  });
