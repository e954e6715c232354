/** Which channel serves which credentials. */
import type { Channel } from "./channel.ts";
import type { Credentials } from "./credentials.ts";
import { telegramBot } from "./telegram-bot.ts";

/** Addresses of the providers; each can be another one, for tests and gateways. */
export interface ProviderAddresses {
  telegramApiRoot: string;
}

/** null: this platform, or this kind of account, is kept but not served yet. */
export function openChannel(credentials: Credentials, addresses: ProviderAddresses): Channel | null {
  if (credentials.platform === "telegram" && credentials.botToken !== null) {
    return telegramBot({ token: credentials.botToken, apiRoot: addresses.telegramApiRoot });
  }
  return null;
}

/** Platforms that may have a channel: the supervisor looks at no others. */
export const SERVED_PLATFORMS = ["telegram"] as const;
