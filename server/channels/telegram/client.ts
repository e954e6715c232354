/**
 * mtcute's client for one account. Half of its megabytes are the protocol's tables, so it is loaded only when an account is connected.
 */
import { connectTcp } from "@fuman/node";
import { IntermediatePacketCodec, networkMiddlewares } from "@mtcute/core";
import { BaseTelegramClient } from "@mtcute/core/client.js";
import { addPublicKey } from "@mtcute/core/utils.js";
import { NodeCryptoProvider } from "@mtcute/node/utils.js";
import type { TelegramDc } from "#server/config.ts";
import type { AccountStorage } from "./storage.ts";

export type { BaseTelegramClient } from "@mtcute/core/client.js";

export interface ApiCredentials {
  apiId: string;
  apiHash: string;
}

/**
 * Creates a client without connecting it. The caller handles the waits that Telegram asks for. The package's own client for Node is not
 * used, because it needs a native database and handles the process's signals.
 * @param dc another data centre than Telegram's
 * @param unreachable called for each failed attempt to connect; the client itself tries endlessly
 */
export function openAccount(
  { apiId, apiHash }: ApiCredentials,
  storage: AccountStorage,
  dc: TelegramDc | null,
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
    transport: {
      async connect({ ipAddress, port }) {
        const connection = await connectTcp({ address: ipAddress, port }).catch((error: unknown) => {
          unreachable(error);
          throw error;
        });
        connection.setNoDelay(true);
        connection.setKeepAlive(true);
        return connection;
      },
      packetCodec: () => new IntermediatePacketCodec(),
    },
    // Updates are stored in the inbox together with their place in the sequence, for which the client's own loop could not wait.
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
