import * as z from "zod/mini";
import { TELEGRAM_SUCCESS_RATE, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";
import { type Platform, serverOf } from "#server/inbox/channel-protocol/platform.ts";
import { SIGN_IN_FIRST } from "#server/inbox/telegram-account/failures.ts";
import { signOut } from "#server/inbox/telegram-account/live-accounts.ts";
import type { TelegramDc } from "#server/platform/config/telegram-dc.ts";
import { telegramBot } from "./bot.ts";
import { telegramUser } from "./user.ts";

const MAIN_DC = { host: "149.154.167.50", port: 443 };

/**
 * A bot or a user account. If both are given, the bot answers, and the account is connected as its own integration. An account's session is
 * part of the channel's state.
 */
const credentials = z.object({
  platform: z.literal("telegram"),
  botToken: z.nullable(z.string()),
  user: z.nullable(z.object({ apiId: z.string(), apiHash: z.string() })),
});

export const telegram: Platform<
  z.infer<typeof credentials>,
  { telegramApiRoot: string; telegramDc: TelegramDc | null }
> = {
  credentials,
  credentialsOf: ({ apiKey, apiId, apiHash }) => ({
    platform: "telegram",
    botToken: apiKey === USERBOT_API_KEY ? null : apiKey,
    user: apiId && apiHash ? { apiId, apiHash } : null,
  }),
  open({ botToken, user }, { telegramApiRoot, telegramDc }, integration, proxy) {
    if (botToken !== null) {
      const { announce, ...polling } = telegramBot({ token: botToken, apiRoot: telegramApiRoot, proxy });
      // Telegram's webhooks cannot reach a server that needs a proxy to reach Telegram, so messages are polled through the proxy too.
      return proxy === null && announce !== undefined ? { ...polling, announce } : polling;
    }
    if (user === null || integration === null || integration.accountId === null) return null;
    return telegramUser({ ...user, integrationId: integration.id, network: { dc: telegramDc, proxy } });
  },
  servers: ({ botToken }, { telegramApiRoot, telegramDc }) => {
    if (botToken !== null) return [serverOf(telegramApiRoot)];
    const { host, port } = telegramDc ?? MAIN_DC;
    return [{ host, port, tls: false, ours: true }];
  },
  async probe({ user }, { telegramDc }, proxy) {
    if (user === null) return;
    const { probeAccount } = await import("#server/inbox/telegram-account/probe.ts");
    await probeAccount(user, { dc: telegramDc, proxy });
  },
  otherAccount: "Это другой бот",
  notOpened: SIGN_IN_FIRST,
  openSettings: () => ({ success_rate: TELEGRAM_SUCCESS_RATE }),
  letGo: signOut,
};
