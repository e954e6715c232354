/** Separate from the integration calls, because most screens that name a platform do not make them. */
import * as z from "zod/mini";

export const IntegrationPlatform = z.enum(
  ["telegram", "whatsapp", "email", "slack", "discord", "max", "vk"],
  "Выберите платформу",
);
export type IntegrationPlatform = z.infer<typeof IntegrationPlatform>;

/** Platforms on which a twin talks to contacts: messengers, email and the chat widget. */
export const ChannelPlatform = z.enum([...IntegrationPlatform.options, "web"]);
export type ChannelPlatform = z.infer<typeof ChannelPlatform>;

/** Platforms that contacts come from: the channels, and programs that use an API key. */
export const ContactPlatform = z.enum([...ChannelPlatform.options, "api"]);
export type ContactPlatform = z.infer<typeof ContactPlatform>;
