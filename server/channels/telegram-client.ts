/** mtcute's client for one account. Half of its megabytes are the protocol's tables: loaded by those who connect an account. */
import { connectTcp } from "@fuman/node";
import { IntermediatePacketCodec, networkMiddlewares } from "@mtcute/core";
import { BaseTelegramClient } from "@mtcute/core/client.js";
import { addPublicKey } from "@mtcute/core/utils.js";
import { NodeCryptoProvider } from "@mtcute/node/utils.js";
import type { TelegramDc } from "#server/config.ts";
import type { AccountStorage } from "./telegram-storage.ts";

export type { BaseTelegramClient } from "@mtcute/core/client.js";

export interface ApiCredentials {
  apiId: string;
  apiHash: string;
}

/**
 * Not connected yet. Waits that Telegram asks for are the caller's to keep. The package's own client for Node is passed by:
 * it brings a native database and takes the process's signals.
 * @param dc another data centre than Telegram's
 * @param unreachable told of each attempt to connect that failed; the client itself tries for ever
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
    // The inbox keeps what comes in together with the place in the sequence; the client's own loop could not wait for it.
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
