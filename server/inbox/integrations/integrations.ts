import { randomUUID } from "node:crypto";
import { and, desc, eq, inArray } from "drizzle-orm";
import {
  type Connection,
  type Integration,
  type IntegrationInput,
  IntegrationPlatform,
  type IntegrationUpdate,
} from "#contract/integrations/integrations.ts";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { mayChangeTwin } from "#server/accounts/organizations/access.ts";
import { forgetAnswersAbout } from "#server/accounts/twins/idempotent-answers.ts";
import { drainThenDelete } from "#server/accounts/twins/in-flight-sends.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { type Channel, type ChannelAccount, ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import { credentialsOf, sealCredentials } from "#server/inbox/channels/credentials.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import {
  getChangeableIntegration,
  getIntegrationRow,
  type IntegrationRow,
  shownRows,
} from "#server/inbox/channels/integration-rows.ts";
import { openChannel, type ProviderAddresses, platformOf } from "#server/inbox/channels/registry.ts";
import { isReachable, newWebhook, openWebhookSecret, webhookUrl } from "#server/inbox/channels/webhook-address.ts";
import { lockTwinOfIntegration } from "#server/inbox/conversation-control/contact-conversation.ts";
import { readTrackRecords } from "#server/inbox/conversation-control/read-track-record.ts";
import { isBroken, SENDING_WAITS } from "#server/inbox/outbox/circuit-breaker.ts";
import { SIGN_IN_FIRST } from "#server/inbox/telegram-account/failures.ts";
import { reimportState } from "#server/knowledge/knowledge-base/last-reading.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { isAccount, openProxy } from "./proxy-settings.ts";
import { syncObstacle } from "./reading-obstacle.ts";

export interface IntegrationDeps {
  db: Database;
  vault: Vault;
  config: ProviderAddresses & Pick<Config, "publicUrl">;
}

export async function listIntegrations(deps: IntegrationDeps, caller: Caller): Promise<Integration[]> {
  const rows = await asTenant(deps.db, caller, (tx) =>
    shownRows(tx)
      // The chat on the owner's site is not listed here, because it has its own screen.
      .where(
        and(eq(integrations.orgId, caller.organizationId), inArray(integrations.platform, IntegrationPlatform.options)),
      )
      .orderBy(desc(integrations.createdAt), desc(integrations.id)),
  );
  return rows.map((row) => toIntegration(deps, caller, row));
}

/** @throws Problem 404 */
export async function readIntegration(deps: IntegrationDeps, caller: Caller, id: string): Promise<Integration> {
  return asTenant(deps.db, caller, async (tx) => {
    const row = await getIntegrationRow(tx, caller, id);
    const ofTwin = { orgId: caller.organizationId, twinId: row.twinId, now: new Date() };
    const { sure } = await readTrackRecords(tx, ofTwin);
    return { ...toIntegration(deps, caller, row), ...(sure.decided === 0 ? {} : { track: sure }) };
  });
}

type Asked = { account: ChannelAccount | null; trouble: string | null };

/**
 * Returns the account of the credentials; null if the platform is not served or is unavailable, and the supervisor asks again later.
 * @throws Problem 422 when the platform refuses them
 */
async function askAccount(channel: Channel | null): Promise<Asked> {
  if (channel === null) return { account: null, trouble: null };
  try {
    return { account: await channel.verify(), trouble: null };
  } catch (error) {
    if (!(error instanceof ChannelTrouble)) throw error;
    if (error.kind === "auth") throw unprocessable("credentials_refused", error.message);
    return { account: null, trouble: error.message };
  }
}

/**
 * Encrypts the credentials with the id of the new row. A new integration only drafts; the owner may enable automatic sending later.
 * @throws Problem 404 or 403 for a twin that the caller may not change, 422 for credentials that the platform refuses
 */
export async function createIntegration(
  deps: IntegrationDeps,
  caller: Caller,
  input: IntegrationInput,
): Promise<Integration> {
  const { db, vault, config } = deps;
  const { digitalTwinId, platform, settings } = input;
  const row = { id: randomUUID(), orgId: caller.organizationId };
  // The access to the twin is checked before the platform is asked, so that its error comes first.
  await asTenant(db, caller, (tx) => getChangeableTwin(tx, caller, digitalTwinId));
  const proxy = await enteredProxy(caller, settings?.proxy, isAccount(input));
  const credentials = { ...credentialsOf(input), ...(proxy && { proxy }) };
  const channel = openChannel(credentials, config, null);
  const asked = await askAccount(channel);
  const { notOpened = null, ownerEnters, openSettings } = platformOf(platform);
  const trouble = channel === null ? notOpened : asked.trouble;
  const delivered = channel?.announce !== undefined && isReachable(config.publicUrl);
  const limitation = asked.account === null || delivered ? null : (channel?.limitation ?? null);
  return asTenant(db, caller, async (tx) => {
    const twin = await getChangeableTwin(tx, caller, digitalTwinId);
    await tx.insert(integrations).values({
      ...row,
      twinId: twin.id,
      platform,
      credentials: sealCredentials(vault, row, credentials),
      account: asked.account?.name,
      accountId: asked.account?.id,
      trouble,
      limitation,
      // The address is created at once, because the owner must enter it at the platform now.
      ...(channel?.webhook !== undefined && ownerEnters !== undefined ? newWebhook(vault, row) : {}),
      phoneNumber: input.phoneNumber || settings?.phone_number || null,
      settings: { ...openSettings?.(settings), ...openProxy(proxy) },
    });
    const told = trouble ?? limitation;
    if (told !== null) await noteEvent(tx, row.orgId, row.id, told);
    await recordActivity(tx, caller, twin, "integration_created", `Подключена платформа ${PLATFORM_NAMES[platform]}`);
    await auditInTenant(tx, {
      action: "integration-created",
      userId: caller.userId,
      organizationId: caller.organizationId,
      subject: row.id,
      detail: { platform, twinId: twin.id },
    });
    return toIntegration(deps, caller, await getIntegrationRow(tx, caller, row.id));
  });
}

/**
 * Fields that the update omits stay unchanged. If another twin is set, the imported history stays with the former one.
 * @throws Problem 404 or 403, for the integration and for the new twin
 */
export async function updateIntegration(
  deps: IntegrationDeps,
  caller: Caller,
  id: string,
  { status, autonomy, digitalTwinId, workingHours }: IntegrationUpdate,
): Promise<Integration> {
  return asTenant(deps.db, caller, async (tx) => {
    const { twinId } = await getChangeableIntegration(tx, caller, id);
    const moved = digitalTwinId !== undefined && digitalTwinId !== twinId;
    if (moved) {
      await getChangeableTwin(tx, caller, digitalTwinId);
      await leaveConversations(tx, id);
    }
    await tx
      .update(integrations)
      .set({
        status,
        // The owner has changed the status himself, so an old reason no longer applies.
        ...(status === undefined ? {} : { statusReason: null }),
        autonomy,
        workingHours,
        ...(moved ? { twinId: digitalTwinId, sourceId: null, messagesImported: 0, lastSyncAt: null } : {}),
        updatedAt: new Date(),
      })
      .where(eq(integrations.id, id));
    const { userId, organizationId } = caller;
    const changed = [
      moved && "двойник",
      status !== undefined && "состояние",
      autonomy !== undefined && "самостоятельность",
      workingHours !== undefined && "рабочие часы",
    ].filter(Boolean);
    const detail = { twinId: moved ? digitalTwinId : twinId, changed };
    await auditInTenant(tx, { action: "integration-changed", userId, organizationId, subject: id, detail });
    return toIntegration(deps, caller, await getIntegrationRow(tx, caller, id));
  });
}

/** Another twin starts new conversations. Those of the former twin stay with it, and nothing more is sent there. */
async function leaveConversations(tx: Tx, id: string): Promise<void> {
  await tx.update(conversations).set({ integrationId: null }).where(eq(conversations.integrationId, id));
  await tx
    .update(outbox)
    .set({ state: "cancelled", reason: "Интеграцию получил другой двойник" })
    .where(and(eq(outbox.integrationId, id), inArray(outbox.state, ["draft", "pending"])));
}

/**
 * Deletes the integration with its credentials, session and stored answers; the imported history stays with the twin. Before it returns,
 * every send has arrived or was stopped.
 */
export async function removeIntegration(db: Database, caller: Caller, id: string): Promise<void> {
  const { platform: connected } = await asTenant(db, caller, (tx) => getChangeableIntegration(tx, caller, id));
  await platformOf(connected).letGo?.(id);
  const claim = async (tx: Tx) => {
    await getChangeableIntegration(tx, caller, id);
    await lockTwinOfIntegration(tx, id);
    await tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.id, id)).for("update");
    return { integrationId: id };
  };
  await drainThenDelete(db, caller, claim, async (tx) => {
    const { platform, twinId } = await getChangeableIntegration(tx, caller, id);
    await forgetAnswersAbout(tx, [id]);
    await tx.delete(integrations).where(eq(integrations.id, id));
    await auditInTenant(tx, {
      action: "integration-deleted",
      userId: caller.userId,
      organizationId: caller.organizationId,
      subject: id,
      detail: { platform, twinId },
    });
  });
}

export function toIntegration(deps: IntegrationDeps, caller: Caller, row: IntegrationRow): Integration {
  const mayChange = mayChangeTwin(caller, row);
  const settings = row.settings as Integration["settings"];
  const { proxy: _proxy, ...ownSettings } = settings;
  const phoneNumber = mayChange ? row.phoneNumber : maskPhone(row.phoneNumber);
  return {
    id: row.id,
    platform: row.platform,
    status: row.status,
    statusReason: row.statusReason,
    digitalTwinName: row.twinName,
    digitalTwinId: row.twinId,
    messagesImported: row.messagesImported,
    messagesHandled: row.messagesHandled,
    lastSync: row.lastSyncAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    phoneNumber,
    config: { phoneNumber },
    settings: mayChange ? settings : ownSettings,
    autonomy: row.autonomy,
    account: mayChange || !platformOf(row.platform).accountIsNumber ? row.account : maskPhone(row.account),
    isBot: isTelegramBot(row),
    trouble: troubleOf(row),
    limitation: row.limitation,
    setAside: row.setAside,
    lastEvent: row.lastEventAt?.toISOString() ?? null,
    webhook: mayChange ? webhookToEnter(deps, row) : null,
    connection: connectionOf(row),
    workingHours: row.workingHours,
    reimport: reimportState(syncObstacle(row), row.last),
  };
}

/** Decides without decrypting the keys: a personal account has a phone number, or is not signed in yet. */
export function isTelegramBot({
  platform,
  account,
  phoneNumber,
  statusReason,
}: Pick<IntegrationRow, "platform" | "account" | "phoneNumber" | "statusReason">): boolean {
  if (platform !== "telegram") return false;
  return account?.startsWith("@") ?? (phoneNumber === null && statusReason !== SIGN_IN_FIRST);
}

function webhookToEnter({ vault, config }: IntegrationDeps, row: IntegrationRow): Integration["webhook"] {
  const { webhookPath, webhookSecret } = row;
  const entered = platformOf(row.platform).ownerEnters;
  if (entered === undefined || webhookPath === null || webhookSecret === null) return null;
  if (!isReachable(config.publicUrl)) return null;
  return {
    url: webhookUrl(config.publicUrl, webhookPath),
    verifyToken: entered === "address and token" ? openWebhookSecret(vault, row, webhookSecret) : null,
  };
}

type Health = Pick<IntegrationRow, "status" | "trouble" | "sendFailures" | "account">;

/** The reason shown until the platform is reached with a new key: the owner sees progress, not an error. */
export const RECONNECTING = "Подключаемся с новым ключом";

export const troubleOf = ({ trouble, ...row }: Pick<Health, "trouble" | "sendFailures">): string | null =>
  (trouble === RECONNECTING ? null : trouble) ?? (isBroken(row) ? SENDING_WAITS : null);

export function connectionOf(row: Health): Connection {
  if (row.status === "inactive") return "paused";
  if (row.status === "error") return "action";
  if (troubleOf(row) !== null) return "trouble";
  return row.account === null || row.trouble === RECONNECTING ? "connecting" : "connected";
}

/** Returns «+79•••••••67»: a colleague recognises the account without learning the number. */
export function maskPhone(phone: string | null): string | null {
  if (phone === null) return null;
  const shownEnds = phone.length >= 9 ? [3, 2] : [0, 0];
  const [head, tail] = shownEnds as [number, number];
  return phone.slice(0, head) + "•".repeat(phone.length - head - tail) + phone.slice(phone.length - tail);
}
