import * as z from "zod/mini";
import { TELEGRAM_SUCCESS_RATE, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";
import type { TelegramDc } from "#server/config.ts";
import type { Platform } from "../protocol/platform.ts";
import { telegramBot } from "./bot.ts";
import { SIGN_IN_FIRST } from "./failures.ts";
import { signOut } from "./live-accounts.ts";
import { telegramUser } from "./user.ts";

/**
 * A bot or a user account; where both are given the bot answers, and the account is connected as an integration of its own. An
 * account's session is part of the channel's state.
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
  open({ botToken, user }, { telegramApiRoot, telegramDc }, integration) {
    if (botToken !== null) return telegramBot({ token: botToken, apiRoot: telegramApiRoot });
    if (user === null || integration === null || integration.accountId === null) return null;
    return telegramUser({ ...user, integrationId: integration.id, dc: telegramDc });
  },
  otherAccount: "Это другой бот",
  notOpened: SIGN_IN_FIRST,
  openSettings: () => ({ success_rate: TELEGRAM_SUCCESS_RATE }),
  letGo: signOut,
};
