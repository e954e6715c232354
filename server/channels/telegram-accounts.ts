/** Connected Telegram accounts of an organisation: each is one integration, with one session. */
import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { TELEGRAM_SUCCESS_RATE } from "#contract/integrations.ts";
import { auditInTenant } from "#server/auth/audit.ts";
import { asTenant, type Database } from "#server/db/database.ts";
import { integrations, telegramLogins, twins } from "#server/db/schema.ts";
import { unprocessable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { getChangeableTwin } from "#server/twins/twins.ts";
import { recordActivity } from "#server/twins/usage.ts";
import type { Vault } from "#server/vault.ts";
import { forgetState, saveState } from "./channel-state.ts";
import { openCredentials, sealCredentials } from "./credentials.ts";
import { noteEvent } from "./event-log.ts";
import type { BaseTelegramClient } from "./telegram-client.ts";
import { signOut } from "./telegram-live.ts";

interface Deps {
  db: Database;
  vault: Vault;
}

export interface AccountOwner {
  /** Telegram's id of the person. */
  accountId: string;
  name: string;
}

export interface SignedIn extends AccountOwner {
  apiId: string;
  apiHash: string;
  phoneNumber: string;
  /** Entries of the storage that the session was made with. */
  session: [string, string][];
}

interface KnownAccount {
  id: string;
  twinId: string;
  twinName: string;
  /** null: kept with its keys, but nobody has signed in. */
  accountId: string | null;
  phoneNumber: string | null;
}

async function knownAccounts({ db, vault }: Deps, viewer: Viewer): Promise<KnownAccount[]> {
  const rows = await asTenant(db, viewer, (tx) =>
    tx
      .select({ integration: integrations, twinName: twins.name })
      .from(integrations)
      .innerJoin(twins, eq(twins.id, integrations.twinId))
      .where(and(eq(integrations.orgId, viewer.organizationId), eq(integrations.platform, "telegram"))),
  );
  return rows.flatMap(({ integration, twinName }) => {
    const credentials = openCredentials(vault, integration);
    if (credentials.platform !== "telegram" || credentials.user === null || credentials.botToken !== null) return [];
    const { id, twinId, accountId, phoneNumber } = integration;
    return [{ id, twinId, twinName, accountId, phoneNumber }];
  });
}

/** Two sessions of one account would answer everybody twice. @throws Problem 422, signed out, when another twin has the account */
export async function refuseTaken(
  deps: Deps,
  viewer: Viewer,
  twinId: string,
  { accountId }: AccountOwner,
  client: BaseTelegramClient,
): Promise<void> {
  const taken = (await knownAccounts(deps, viewer)).find(
    (known) => known.accountId === accountId && known.twinId !== twinId,
  );
  if (taken === undefined) return;
  await client.call({ _: "auth.logOut" });
  throw unprocessable("account_taken", `Этот аккаунт уже подключён к двойнику «${taken.twinName}»: отключите его там.`);
}

/**
 * Connects the account that has signed in: anew, or again when it was connected already.
 * @returns the integration's id
 * @throws Problem 404, 403 when the twin is gone meanwhile
 */
export async function keepAccount(deps: Deps, viewer: Viewer, twinId: string, account: SignedIn): Promise<string> {
  const { db, vault } = deps;
  const digits = (phone: string | null) => phone?.replace(/\D/g, "");
  const known = (await knownAccounts(deps, viewer)).find(
    (one) =>
      one.twinId === twinId &&
      (one.accountId === account.accountId ||
        (one.accountId === null && digits(one.phoneNumber) === digits(account.phoneNumber))),
  );
  if (known !== undefined) await signOut(known.id);
  const row = { id: known?.id ?? randomUUID(), orgId: viewer.organizationId };
  const { apiId, apiHash, phoneNumber, name } = account;
  const credentials = sealCredentials(vault, row, {
    platform: "telegram",
    botToken: null,
    user: { apiId, apiHash },
  });
  const connected = {
    credentials,
    phoneNumber,
    account: name,
    accountId: account.accountId,
    status: "active" as const,
    statusReason: null,
    trouble: null,
  };
  await asTenant(db, viewer, async (tx) => {
    const twin = await getChangeableTwin(tx, viewer, twinId);
    const settings = { success_rate: TELEGRAM_SUCCESS_RATE };
    await tx
      .insert(integrations)
      .values({ ...row, twinId, platform: "telegram", settings, ...connected })
      .onConflictDoUpdate({ target: integrations.id, set: { ...connected, updatedAt: new Date() } });
    await forgetState(tx, row.id);
    await saveState(tx, vault, { ...viewer, integrationId: row.id }, new Map(account.session));
    // What made the session is of no more use.
    await tx.update(telegramLogins).set({ state: null }).where(eq(telegramLogins.userId, viewer.userId));
    await noteEvent(tx, row.orgId, row.id, `Вход в аккаунт: ${name}`);
    await recordActivity(tx, viewer, twin, "integration_created", "Подключён Telegram-аккаунт");
    await auditInTenant(tx, {
      action: "integration-created",
      userId: viewer.userId,
      organizationId: viewer.organizationId,
      subject: row.id,
      detail: { platform: "telegram", twinId, kind: "account", again: known !== undefined },
    });
  });
  return row.id;
}
