/** Accounts that this process has connected. A session may be used from one place only, so all users of a session get it here. */
import type { BaseTelegramClient } from "./client.ts";

export interface LiveAccount {
  client: BaseTelegramClient;
  /** Ids of messages that we sent, so that their echo does not count as the owner's. */
  sent: Set<number>;
  /** Sends in progress, whose ids are not known yet. */
  sending: Set<Promise<unknown>>;
}

const accounts = new Map<string, LiveAccount>();

/** Returns undefined when the account is connected in another process, or not at all. */
export const liveAccount = (integrationId: string): LiveAccount | undefined => accounts.get(integrationId);

export function setLive(integrationId: string, account: LiveAccount): void {
  accounts.set(integrationId, account);
}

export function endLive(integrationId: string, account: LiveAccount): void {
  if (accounts.get(integrationId) === account) accounts.delete(integrationId);
}

const SIGN_OUT_MS = 3_000;

/**
 * Removes the session from the account's list of devices if it is connected here. If another process has it, that process ends the session
 * (receiving/supervisor.ts). If none has it, the session stays until a person ends it.
 */
export async function signOut(integrationId: string): Promise<void> {
  const account = accounts.get(integrationId);
  if (account === undefined) return;
  accounts.delete(integrationId);
  await account.client.call({ _: "auth.logOut" }, { timeout: SIGN_OUT_MS }).catch(() => {});
}
