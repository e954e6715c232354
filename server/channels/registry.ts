/** Which channel serves which credentials. */
import type { ChannelPlatform } from "#contract/integrations/integrations.ts";
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

type CredentialsOf<Platform> = Extract<Credentials, { platform: Platform }>;
type OpenChannel<Opened extends Credentials> = (
  credentials: Opened,
  addresses: ProviderAddresses,
  integration: Connected | null,
) => Channel | null;

/** One line for each platform; the compiler asks for the line of a new one. */
const CHANNELS: { [Platform in ChannelPlatform]: OpenChannel<CredentialsOf<Platform>> } = {
  telegram({ botToken, user }, { telegramApiRoot, telegramDc }, integration) {
    if (botToken !== null) return telegramBot({ token: botToken, apiRoot: telegramApiRoot });
    if (user === null || integration === null || integration.accountId === null) return null;
    return telegramUser({ ...user, integrationId: integration.id, dc: telegramDc });
  },
  whatsapp: ({ accessToken, phoneNumber, appSecret }, { whatsappAppSecret, whatsappGraphUrl }, integration) =>
    whatsapp({
      accessToken,
      phoneNumber,
      appSecret: appSecret ?? whatsappAppSecret,
      phoneNumberId: integration?.accountId ?? null,
      graphUrl: whatsappGraphUrl,
    }),
  email: (credentials, { emailServers }) => email(credentials, emailServers),
  slack: ({ botToken, signingSecret, appToken }, { slackApiUrl }, integration) =>
    slack({ botToken, signingSecret, appToken, teamId: integration?.accountId ?? null, apiUrl: slackApiUrl }),
  discord: ({ botToken }, { discordApiUrl }) => discord({ token: botToken, apiUrl: discordApiUrl }),
  web: () => webChat,
};

/** Every platform that has a channel. Tests that attack each channel walk this list. */
export const CHANNEL_PLATFORMS = Object.keys(CHANNELS) as ChannelPlatform[];

/**
 * null: nobody has signed in to the account yet.
 * @param integration null while its credentials are only being checked
 */
export function openChannel(
  credentials: Credentials,
  addresses: ProviderAddresses,
  integration: Connected | null,
): Channel | null {
  // The key and the credentials are of the same platform, which the type of a looked-up function cannot say.
  const open = CHANNELS[credentials.platform] as OpenChannel<Credentials>;
  return open(credentials, addresses, integration);
}
