import type { ChannelPlatform } from "../platforms.ts";

// A separate file, because the first page load shows these names and need not include the schemas.

export const PLATFORM_NAMES: Record<ChannelPlatform, string> = {
  telegram: "Telegram",
  whatsapp: "WhatsApp",
  email: "Email",
  slack: "Slack",
  discord: "Discord",
  max: "MAX",
  vk: "ВКонтакте",
  web: "Чат на сайте",
};

/** Names of history sources that are not channels. */
export const SOURCE_NAMES = { meta: "Messenger и Instagram", chat: "Переписка" };
