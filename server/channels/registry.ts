/** Which channel serves which credentials. */
import type { Channel } from "./channel.ts";
import type { Credentials } from "./credentials.ts";
import { type EmailServers, email } from "./email.ts";
import { slack } from "./slack.ts";
import { telegramBot } from "./telegram-bot.ts";
import { webChat } from "./web-chat.ts";
import { whatsapp } from "./whatsapp.ts";

/** Addresses of the providers; each can be another one, for tests and gateways. */
export interface ProviderAddresses {
  telegramApiRoot: string;
  whatsappGraphUrl: string;
  /** Of the platform's own app at Meta, for integrations that name no other; null: there is none. */
  whatsappAppSecret: string | null;
  slackApiUrl: string;
  /** null: where the mailbox's domain has them. */
  emailServers: EmailServers | null;
}

/**
 * null: this platform, or this kind of account, is kept but not served yet.
 * @param accountId what `verify` gave as the account's id, where it was asked before
 */
export function openChannel(
  credentials: Credentials,
  addresses: ProviderAddresses,
  accountId: string | null,
): Channel | null {
  if (credentials.platform === "telegram" && credentials.botToken !== null) {
    return telegramBot({ token: credentials.botToken, apiRoot: addresses.telegramApiRoot });
  }
  if (credentials.platform === "whatsapp") {
    const { accessToken, phoneNumber } = credentials;
    return whatsapp({
      accessToken,
      phoneNumber,
      appSecret: credentials.appSecret ?? addresses.whatsappAppSecret,
      phoneNumberId: accountId,
      graphUrl: addresses.whatsappGraphUrl,
    });
  }
  if (credentials.platform === "slack") {
    const { botToken, signingSecret, appToken } = credentials;
    return slack({ botToken, signingSecret, appToken, teamId: accountId, apiUrl: addresses.slackApiUrl });
  }
  if (credentials.platform === "web") return webChat;
  if (credentials.platform === "email") return email(credentials, addresses.emailServers);
  return null;
}

/** Platforms that may have a channel: the supervisor looks at no others. */
export const SERVED_PLATFORMS = ["telegram", "whatsapp", "slack", "email"] as const;
