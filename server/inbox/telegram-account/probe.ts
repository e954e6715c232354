/** Checks whether Telegram responds, with a separate session without a sign-in. */
import { ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import { type AccountNetwork, type ApiCredentials, openAccount } from "./client.ts";
import { isRpcFailure } from "./failures.ts";
import { AccountStorage } from "./storage.ts";

const PROBE_MS = 15_000;

/** @throws ChannelTrouble when nothing responds, or the keys are refused */
export async function probeAccount(credentials: ApiCredentials, network: AccountNetwork): Promise<void> {
  const away = Promise.withResolvers<never>();
  const giveUp = () => away.reject(new ChannelTrouble("away", "Telegram недоступен"));
  const client = openAccount(credentials, new AccountStorage(new Map(), async () => {}), network, giveUp);
  const timer = setTimeout(giveUp, PROBE_MS);
  try {
    await Promise.race([client.call({ _: "help.getNearestDc" }), away.promise]);
  } catch (error) {
    if (!isRpcFailure(error))
      throw error instanceof ChannelTrouble ? error : new ChannelTrouble("away", "Telegram недоступен");
    // Any RPC error proves that Telegram has responded.
    if (error.text === "API_ID_INVALID")
      throw new ChannelTrouble("auth", "Telegram не принимает API ID: проверьте его");
  } finally {
    clearTimeout(timer);
    await client.destroy();
  }
}
