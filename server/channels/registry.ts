/** Which channel serves which credentials. */
import type { TelegramDc } from "#server/config.ts";
import { discord } from "./discord/discord.ts";
import { type EmailServers, email } from "./email/email.ts";
import type { Channel } from "./protocol/channel.ts";
import type { Credentials } from "./protocol/credentials.ts";
import { slack } from "./slack/slack.ts";
import { telegramBot } from "./telegram/bot.ts";
import { telegramUser } from "./telegram/user.ts";
import { webChat } from "./web/web-chat.ts";
import { whatsapp } from "./whatsapp/whatsapp.ts";

/** Addresses of the providers; each can be another one, for tests and gateways. */
export interface ProviderAddresses {
  telegramApiRoot: string;
  telegramDc: TelegramDc | null;
  whatsappGraphUrl: string;
  /** Secret of the platform's own app at Meta, for integrations that name no other; null: there is none. */
  whatsappAppSecret: string | null;
  slackApiUrl: string;
  discordApiUrl: string;
  /** null: where the mailbox's domain has them. */
  emailServers: EmailServers | null;
}

/** An integration that is there; `accountId` is what `verify` gave, or who has signed in. */
interface Connected {
  id: string;
  accountId: string | null;
}

/**
 * null: this platform is kept but not served yet, or nobody has signed in to the account.
 * @param integration null while its credentials are only being checked
 */
export function openChannel(
  credentials: Credentials,
  addresses: ProviderAddresses,
  integration: Connected | null,
): Channel | null {
  if (credentials.platform === "telegram") {
    const { botToken, user } = credentials;
    if (botToken !== null) return telegramBot({ token: botToken, apiRoot: addresses.telegramApiRoot });
    if (user === null || integration === null || integration.accountId === null) return null;
    return telegramUser({ ...user, integrationId: integration.id, dc: addresses.telegramDc });
  }
  if (credentials.platform === "whatsapp") {
    const { accessToken, phoneNumber } = credentials;
    return whatsapp({
      accessToken,
      phoneNumber,
      appSecret: credentials.appSecret ?? addresses.whatsappAppSecret,
      phoneNumberId: integration?.accountId ?? null,
      graphUrl: addresses.whatsappGraphUrl,
    });
  }
  if (credentials.platform === "discord") {
    return discord({ token: credentials.botToken, apiUrl: addresses.discordApiUrl });
  }
  if (credentials.platform === "slack") {
    const { botToken, signingSecret, appToken } = credentials;
    return slack({
      botToken,
      signingSecret,
      appToken,
      teamId: integration?.accountId ?? null,
      apiUrl: addresses.slackApiUrl,
    });
  }
  if (credentials.platform === "web") return webChat;
  if (credentials.platform === "email") return email(credentials, addresses.emailServers);
  return null;
}
