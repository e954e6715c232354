import type * as z from "zod/mini";
import type { ChannelPlatform } from "#contract/integrations/integrations.ts";
import type { Channel } from "#server/inbox/channel-protocol/channel.ts";
import type { Connected, Platform } from "#server/inbox/channel-protocol/platform.ts";
import { throughProxy } from "#server/inbox/channel-protocol/through-proxy.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { createProxied, type Proxied } from "#server/platform/network/proxied.ts";
import { discord } from "./discord/platform.ts";
import { email } from "./email/platform.ts";
import { max } from "./max/platform.ts";
import { slack } from "./slack/platform.ts";
import { telegram } from "./telegram/platform.ts";
import { vk } from "./vk/platform.ts";
import { web } from "./web/platform.ts";
import { whatsapp } from "./whatsapp/platform.ts";

const PLATFORMS = { telegram, whatsapp, email, slack, discord, max, vk, web } satisfies {
  [Id in ChannelPlatform]: { credentials: z.ZodMiniType<{ platform: Id }> };
};
type Platforms = typeof PLATFORMS;

/** The credentials of any platform, with the proxy; stored encrypted. */
export type Credentials = { [Id in ChannelPlatform]: z.infer<Platforms[Id]["credentials"]> }[ChannelPlatform] & {
  proxy?: ProxySettings;
};

type All<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer Both) => void ? Both : never;
/** Addresses of all platforms; each can be replaced, for tests and gateways. */
export type ProviderAddresses = All<{ [Id in ChannelPlatform]: Parameters<Platforms[Id]["open"]>[1] }[ChannelPlatform]>;

/** The platform and its credentials belong together, which the type of a looked-up platform cannot express. */
export const platformOf = (id: ChannelPlatform): Platform<Credentials, ProviderAddresses> =>
  PLATFORMS[id] as unknown as Platform<Credentials, ProviderAddresses>;

/**
 * Returns null while the account is not signed in.
 * @param integration null while its credentials are only being checked
 */
export function openChannel(
  credentials: Credentials,
  addresses: ProviderAddresses,
  integration: Connected | null,
): Channel | null {
  const proxy = proxyOf(credentials);
  const channel = platformOf(credentials.platform).open(credentials, addresses, integration, proxy);
  return channel === null || proxy === null ? channel : throughProxy(channel, proxy);
}

export const proxyOf = ({ proxy }: Credentials): Proxied | null => (proxy === undefined ? null : createProxied(proxy));
