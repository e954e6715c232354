import type { ChannelPlatform } from "./platforms.ts";

// A file of its own, because a first load shows names and need not bring the schemas along.

/** A platform as screens and notices write it. */
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

/** What history comes from without being a channel. */
export const SOURCE_NAMES = { meta: "Messenger и Instagram", chat: "Переписка" };
