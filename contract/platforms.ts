/** Separate from the integration calls, because most screens that name a platform do not make them. */
import * as z from "zod/mini";

/** The one list of platforms to which an account is connected; the other lists are made of it. */
const INTEGRATION_PLATFORMS = ["telegram", "whatsapp", "email", "slack", "discord", "max", "vk"] as const;
/** Platforms on which a twin talks to contacts, as the database lists them too. */
export const CHANNEL_PLATFORMS = [...INTEGRATION_PLATFORMS, "web"] as const;

export const IntegrationPlatform = z.enum(INTEGRATION_PLATFORMS, "Выберите платформу");
export type IntegrationPlatform = z.infer<typeof IntegrationPlatform>;

/** Platforms on which a twin talks to contacts: messengers, email and the chat widget. */
export const ChannelPlatform = z.enum(CHANNEL_PLATFORMS);
export type ChannelPlatform = z.infer<typeof ChannelPlatform>;

/** Platforms that contacts come from: the channels, and programs that use an API key. */
export const ContactPlatform = z.enum([...ChannelPlatform.options, "api"]);
export type ContactPlatform = z.infer<typeof ContactPlatform>;
