/**
 * Creates mtcute's client for one account. It is loaded only when an account is connected, because the protocol's tables take megabytes.
 */
import { networkMiddlewares } from "@mtcute/core";
import { BaseTelegramClient } from "@mtcute/core/client.js";
import { addPublicKey } from "@mtcute/core/utils.js";
import { NodeCryptoProvider } from "@mtcute/node/utils.js";
import type { TelegramDc } from "#server/platform/config/telegram-dc.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import type { AccountStorage } from "./storage.ts";
import { transportTo } from "./transport.ts";

export type { BaseTelegramClient } from "@mtcute/core/client.js";

export interface ApiCredentials {
  apiId: string;
  apiHash: string;
}

export interface AccountNetwork {
  /** Replaces Telegram's data centre. */
  dc: TelegramDc | null;
  proxy: Proxied | null;
}

/**
 * Creates a client without connecting it. The caller handles the waits that Telegram asks for. The package's own client for Node is not
 * used, because it needs a native database and handles the process's signals.
 * @param unreachable called for each failed attempt to connect; the client itself tries endlessly
 */
export function openAccount(
  { apiId, apiHash }: ApiCredentials,
  storage: AccountStorage,
  { dc, proxy }: AccountNetwork,
  unreachable: (cause: unknown) => void = () => {},
): BaseTelegramClient {
  const crypto = new NodeCryptoProvider();
  if (dc?.publicKey) addPublicKey(crypto, dc.publicKey);
  const main = dc && { id: 2, ipAddress: dc.host, port: dc.port };
  return new BaseTelegramClient({
    apiId: Number(apiId),
    apiHash,
    storage,
    crypto,
    storageOptions: { cleanup: false },
    platform: {
      beforeExit: () => () => {},
      log: () => {},
      getDefaultLogLevel: () => 0,
      getDeviceModel: () => "Digital Twins",
    },
    transport: transportTo(proxy, unreachable),
    // Updates are stored in the inbox together with their sequence position, for which the client's own loop could not wait.
    updates: false,
    initConnectionOptions: { appVersion: "1", systemVersion: "server", systemLangCode: "ru", langCode: "ru" },
    network: {
      middlewares: networkMiddlewares.basic({
        floodWaiter: { maxWait: 0, maxRetries: 0, store: false },
        internalErrors: { maxRetries: 1, exceptErrors: ["RANDOM_ID_DUPLICATE"] },
      }),
    },
    ...(main ? { defaultDcs: { main, media: { ...main, mediaOnly: true } } } : {}),
  });
}
