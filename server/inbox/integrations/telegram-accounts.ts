/** The connected Telegram accounts of an organisation: each is one integration with one session. */
import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { TELEGRAM_SUCCESS_RATE } from "#contract/integrations/integrations.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { forgetState, saveState } from "#server/inbox/channel-protocol/channel-state.ts";
import { openCredentials, sealCredentials } from "#server/inbox/channels/credentials.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import type { BaseTelegramClient } from "#server/inbox/telegram-account/client.ts";
import { signOut } from "#server/inbox/telegram-account/live-accounts.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { integrations, telegramLogins } from "#server/platform/db/schema/channels.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { openProxy } from "./proxy-settings.ts";

interface Deps {
  db: Database;
  vault: Vault;
}

export interface AccountOwner {
  accountId: string;
  name: string;
}

interface SignedIn extends AccountOwner {
  apiId: string;
  apiHash: string;
  phoneNumber: string;
  proxy: ProxySettings | null;
  /** Entries of the storage in which the session was created. */
  session: [string, string][];
}

interface KnownAccount {
  id: string;
  twinId: string;
  twinName: string;
  /** null: the keys are stored, but the account is not signed in. */
  accountId: string | null;
  phoneNumber: string | null;
}

async function knownAccounts({ db, vault }: Deps, caller: Caller): Promise<KnownAccount[]> {
  const rows = await asTenant(db, caller, (tx) =>
    tx
      .select({ integration: integrations, twinName: twins.name })
      .from(integrations)
      .innerJoin(twins, eq(twins.id, integrations.twinId))
      .where(and(eq(integrations.orgId, caller.organizationId), eq(integrations.platform, "telegram"))),
  );
  return rows.flatMap(({ integration, twinName }) => {
    const credentials = openCredentials(vault, integration);
    if (credentials.platform !== "telegram" || credentials.user === null || credentials.botToken !== null) return [];
    const { id, twinId, accountId, phoneNumber } = integration;
    return [{ id, twinId, twinName, accountId, phoneNumber }];
  });
}

/**
 * Refuses a second session of one account, which would answer every contact twice. @throws Problem 422, after signing out, when another
 * twin has the account
 */
export async function refuseTakenAccount(
  deps: Deps,
  caller: Caller,
  twinId: string,
  { accountId }: AccountOwner,
  client: BaseTelegramClient,
): Promise<void> {
  const taken = (await knownAccounts(deps, caller)).find(
    (known) => known.accountId === accountId && known.twinId !== twinId,
  );
  if (taken === undefined) return;
  await client.call({ _: "auth.logOut" });
  throw unprocessable("account_taken", `Этот аккаунт уже подключён к двойнику «${taken.twinName}»: отключите его там.`);
}

/**
 * Connects the account that has signed in: new, or again if it was connected before.
 * @returns the integration's id
 * @throws Problem 404, 403 when the twin was deleted meanwhile
 */
export async function keepAccount(deps: Deps, caller: Caller, twinId: string, account: SignedIn): Promise<string> {
  const { db, vault } = deps;
  const digits = (phone: string | null) => phone?.replace(/\D/g, "");
  const known = (await knownAccounts(deps, caller)).find(
    (one) =>
      one.twinId === twinId &&
      (one.accountId === account.accountId ||
        (one.accountId === null && digits(one.phoneNumber) === digits(account.phoneNumber))),
  );
  if (known !== undefined) await signOut(known.id);
  const row = { id: known?.id ?? randomUUID(), orgId: caller.organizationId };
  const { apiId, apiHash, phoneNumber, name, proxy } = account;
  const credentials = sealCredentials(vault, row, {
    platform: "telegram",
    botToken: null,
    user: { apiId, apiHash },
    ...(proxy && { proxy }),
  });
  const connected = {
    credentials,
    settings: { success_rate: TELEGRAM_SUCCESS_RATE, ...openProxy(proxy) },
    phoneNumber,
    account: name,
    accountId: account.accountId,
    status: "active" as const,
    statusReason: null,
    trouble: null,
  };
  await asTenant(db, caller, async (tx) => {
    const twin = await getChangeableTwin(tx, caller, twinId);
    await tx
      .insert(integrations)
      .values({ ...row, twinId, platform: "telegram", ...connected })
      .onConflictDoUpdate({ target: integrations.id, set: { ...connected, updatedAt: new Date() } });
    await forgetState(tx, row.id);
    await saveState(tx, vault, { ...caller, integrationId: row.id }, new Map(account.session));
    // The state of the login is no longer needed.
    await tx.update(telegramLogins).set({ state: null }).where(eq(telegramLogins.userId, caller.userId));
    await noteEvent(tx, row.orgId, row.id, `Вход в аккаунт: ${name}`);
    await recordActivity(tx, caller, twin, "integration_created", "Подключён Telegram-аккаунт");
    await auditInTenant(tx, {
      action: "integration-created",
      userId: caller.userId,
      organizationId: caller.organizationId,
      subject: row.id,
      detail: { platform: "telegram", twinId, kind: "account", again: known !== undefined },
    });
  });
  return row.id;
}
