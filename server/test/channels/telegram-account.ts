/** The local Telegram of packages/mtproto-test-server as the product meets it: its place in the configuration, and the wizard's two calls. */
import {
  type Account,
  API_HASH,
  LOGIN_CODE,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import type { TelegramDc } from "#server/platform/config/telegram-dc.ts";
import { readConfig } from "#server/platform/config.ts";

/** As the configuration names it. */
export function dcOf({ address, publicKey }: Pick<TelegramAccountServer, "address" | "publicKey">): TelegramDc {
  const { telegramDc } = readConfig({ NODE_ENV: "test", TELEGRAM_DC: address, TELEGRAM_DC_KEY: publicKey });
  return telegramDc!;
}

/** As the wizard does; gives the integration's id. */
export async function signIn(
  // biome-ignore lint/suspicious/noExplicitAny: the contract's checks are other tests' business
  post: (path: string, body: object) => Promise<any>,
  { phone }: Account,
  twinId: string,
): Promise<string> {
  const setup = { apiId: "123456", apiHash: API_HASH, phoneNumber: `+${phone}`, twinId };
  const sent = await post("/api/integrations/telegram/send-code", setup);
  const path = "/api/integrations/telegram/verify-code";
  return (await post(path, { ...setup, ...sent, verificationCode: LOGIN_CODE })).integration.id;
}
