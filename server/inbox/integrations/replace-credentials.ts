/** «Заменить ключ»: stores a new key of a connected account; its conversations, cursor and settings stay. */
import { eq } from "drizzle-orm";
import type { Integration, NewCredentials } from "#contract/integrations/integrations.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { type Channel, type ChannelAccount, ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import { credentialsOf, openCredentials, sealCredentials } from "#server/inbox/channels/credentials.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import {
  getChangeableIntegration,
  getIntegrationRow,
  type IntegrationRow,
} from "#server/inbox/channels/integration-rows.ts";
import { type Credentials, openChannel, platformOf } from "#server/inbox/channels/registry.ts";
import { isReachable, newWebhook } from "#server/inbox/channels/webhook-address.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { unprocessable, upstream } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import { traced } from "#server/platform/process/tracing.ts";
import { type IntegrationDeps, RECONNECTING, toIntegration } from "./integrations.ts";
import { isAccount, openProxy } from "./proxy-settings.ts";

const VERIFY_MS = 8_000;

/**
 * Asks the platform to whom the key belongs before storing it. The process with the lease reconnects because the row has changed; a paused
 * integration stays paused.
 * @throws Problem 404, 403; 422 for a key that is refused or of another account, or an account without keys; 502 while the platform is
 * unavailable
 */
export async function replaceCredentials(
  deps: IntegrationDeps,
  caller: Caller,
  id: string,
  input: NewCredentials,
): Promise<Integration> {
  const { db, vault, config } = deps;
  await asTenant(db, caller, (tx) => getChangeableIntegration(tx, caller, id));
  const proxy = await enteredProxy(caller, input.settings?.proxy, isAccount(input));
  const credentials = await asTenant(db, caller, async (tx) => {
    const row = await getChangeableIntegration(tx, caller, id);
    const next = merged(openCredentials(vault, { ...row, credentials: await sealedOf(tx, id) }), row, input);
    return proxy === null ? next : { ...next, proxy };
  });
  const channel = openChannel(credentials, config, null);
  if (channel === null) throw unprocessable("not_by_key", platformOf(input.platform).notOpened ?? NOT_BY_KEY);
  const account = await askAccount(channel);
  return asTenant(db, caller, async (tx) => {
    const row = await getChangeableIntegration(tx, caller, id);
    await tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.id, id)).for("update");
    refuseOther(row, account);
    const { ownerEnters } = platformOf(row.platform);
    const delivered = channel.announce !== undefined && isReachable(config.publicUrl);
    const needsAddress = channel.webhook !== undefined && ownerEnters !== undefined && row.webhookPath === null;
    await tx
      .update(integrations)
      .set({
        credentials: sealCredentials(vault, row, credentials),
        account: account.name,
        accountId: account.id,
        ...(proxy === null ? {} : { settings: { ...(row.settings as object), ...openProxy(proxy) } }),
        ...(row.status === "inactive" ? { trouble: null } : { status: "active" as const, trouble: RECONNECTING }),
        statusReason: null,
        limitation: delivered ? null : (channel.limitation ?? null),
        ...(needsAddress ? newWebhook(vault, row) : {}),
        sendFailures: 0,
        sendPausedUntil: null,
        updatedAt: new Date(),
      })
      .where(eq(integrations.id, id));
    await noteEvent(tx, row.orgId, id, `Ключ заменён: ${account.name}`);
    const { userId, organizationId } = caller;
    const detail = { platform: row.platform, twinId: row.twinId };
    await auditInTenant(tx, { action: "integration-key-replaced", userId, organizationId, subject: id, detail });
    return toIntegration(deps, caller, await getIntegrationRow(tx, caller, id));
  });
}

const NOT_BY_KEY = "Эта платформа подключена без ключа";

async function sealedOf(tx: Tx, id: string): Promise<Buffer> {
  const [row] = await tx
    .select({ credentials: integrations.credentials })
    .from(integrations)
    .where(eq(integrations.id, id));
  return row!.credentials;
}

/** Fields that the owner leaves empty keep their stored value: a new password needs no new address of the mail server. */
function merged(stored: Credentials, row: IntegrationRow, input: NewCredentials): Credentials {
  if (platformOf(row.platform).credentialsOf === undefined) throw unprocessable("not_by_key", NOT_BY_KEY);
  if (input.platform !== row.platform) throw unprocessable("other_account", "Это ключ другой платформы");
  const given = Object.entries(credentialsOf(input)).filter(([, value]) => value !== null);
  return { ...stored, ...Object.fromEntries(given) } as Credentials;
}

async function askAccount(channel: Channel): Promise<ChannelAccount> {
  try {
    return await traced(`verify ${channel.platform}`, { kind: "client" }, () =>
      channel.verify(AbortSignal.timeout(VERIFY_MS)),
    );
  } catch (error) {
    if (!(error instanceof ChannelTrouble)) throw error;
    if (error.kind === "auth") throw unprocessable("credentials_refused", error.message);
    throw upstream("credentials_unchecked", `${error.message}. Прежний ключ остался, повторите позже.`, {
      cause: error,
    });
  }
}

/** The conversations belong to the account: with another account's key a stranger would answer its contacts. */
function refuseOther({ accountId, platform }: IntegrationRow, { id, name }: ChannelAccount): void {
  if (accountId === null || accountId.toLowerCase() === id.toLowerCase()) return;
  const said = platformOf(platform).otherAccount ?? "Это другой аккаунт";
  throw unprocessable("other_account", `${said}: ${name}. Подключите его отдельно.`);
}
