/** The proxy of an integration. */
import { type IntegrationPlatform, type NewCredentials, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";
import { proxyLabel } from "#contract/integrations/proxy-address.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";

/** Whether it is a personal Telegram account, not a bot. */
export const isAccount = ({ platform, apiKey }: { platform: IntegrationPlatform; apiKey: NewCredentials["apiKey"] }) =>
  platform === "telegram" && apiKey === USERBOT_API_KEY;

/** Returns the part of the proxy that is stored unencrypted, so that its owner recognises it. */
export const openProxy = (proxy: ProxySettings | null): { proxy?: string } =>
  proxy === null ? {} : { proxy: proxyLabel(proxy.address) };
