/** Accounts that this process has connected: a session may be used from one place only, so whoever needs one comes here. */
import type { BaseTelegramClient } from "./telegram-client.ts";

export interface LiveAccount {
  client: BaseTelegramClient;
  /** Ids of messages that we sent: their echo is not the owner speaking. */
  sent: Set<number>;
  /** Sends under way, whose ids are not known yet. */
  sending: Set<Promise<unknown>>;
}

const accounts = new Map<string, LiveAccount>();

/** undefined: connected elsewhere, or not at all just now. */
export const liveAccount = (integrationId: string): LiveAccount | undefined => accounts.get(integrationId);

export function setLive(integrationId: string, account: LiveAccount): void {
  accounts.set(integrationId, account);
}

export function endLive(integrationId: string, account: LiveAccount): void {
  if (accounts.get(integrationId) === account) accounts.delete(integrationId);
}

const SIGN_OUT_MS = 3_000;

/** Takes the session out of the account's list of devices, where it is connected here; else it stays there until it is ended by hand. */
export async function signOut(integrationId: string): Promise<void> {
  const account = accounts.get(integrationId);
  if (account === undefined) return;
  accounts.delete(integrationId);
  await account.client.call({ _: "auth.logOut" }, { timeout: SIGN_OUT_MS }).catch(() => {});
}
