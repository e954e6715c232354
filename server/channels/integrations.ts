import { randomUUID } from "node:crypto";
import { and, desc, eq, getTableColumns, inArray, ne, sql } from "drizzle-orm";
import {
  type ChannelPlatform,
  type Connection,
  type Integration,
  type IntegrationInput,
  type IntegrationUpdate,
  TELEGRAM_SUCCESS_RATE,
} from "#contract/integrations.ts";
import { auditInTenant } from "#server/auth/audit.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { conversations, inboxEvents, integrations, outbox, setAsideEvents, twins } from "#server/db/schema.ts";
import { notFound, unprocessable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { type LastReading, lastReading, reimportState } from "#server/knowledge/last-reading.ts";
import { canChange, mayChangeTwin } from "#server/organizations/access.ts";
import { forgetAnswersAbout } from "#server/twins/kept-answers.ts";
import { deleteOnceSent } from "#server/twins/sends.ts";
import { getChangeableTwin } from "#server/twins/twins.ts";
import { recordActivity } from "#server/twins/usage.ts";
import type { Vault } from "#server/vault.ts";
import { isBroken, SENDING_WAITS } from "./breaker.ts";
import { type Channel, type ChannelAccount, ChannelTrouble } from "./channel.ts";
import { lockTwinOfIntegration } from "./contact-conversation.ts";
import { credentialsOf, sealCredentials } from "./credentials.ts";
import { noteEvent } from "./event-log.ts";
import { syncObstacle } from "./reading-obstacle.ts";
import { openChannel, type ProviderAddresses } from "./registry.ts";
import { SIGN_IN_FIRST } from "./telegram-failures.ts";
import { signOut } from "./telegram-live.ts";
import { ENTERED_BY_OWNER, isReachable, newWebhook, openWebhookSecret, webhookUrl } from "./webhook-address.ts";

// What a list needs of a row; the credentials stay in the database.
const { credentials: _sealed, ...shownColumns } = getTableColumns(integrations);
const setAside = sql<number>`(
  (select count(*) from ${setAsideEvents} where ${setAsideEvents.integrationId} = ${integrations.id})
  + (select count(*) from ${inboxEvents} where ${inboxEvents.integrationId} = ${integrations.id}
    and ${inboxEvents.status} = 'failed'))::int`;
const shown = { ...shownColumns, twinName: twins.name, ownerId: twins.ownerId, setAside };

const shownRows = (tx: Tx) => {
  const last = lastReading(tx);
  return tx
    .select({ ...shown, last: { status: last.status, error: last.error } })
    .from(integrations)
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .leftJoinLateral(last, sql`true`);
};

/** An integration without its credentials, with the columns of its twin that lists show and access asks for. */
export type IntegrationRow = Omit<typeof integrations.$inferSelect, "credentials"> & {
  twinName: string;
  ownerId: string;
  setAside: number;
  last: LastReading | null;
};

export const PLATFORM_NAMES: Record<ChannelPlatform, string> = {
  telegram: "Telegram",
  whatsapp: "WhatsApp",
  email: "Email",
  slack: "Slack",
  discord: "Discord",
  web: "Чат на сайте",
};

export interface IntegrationDeps {
  db: Database;
  vault: Vault;
  config: ProviderAddresses & { publicUrl: string };
}

/** Newest first. */
export async function listIntegrations(deps: IntegrationDeps, viewer: Viewer): Promise<Integration[]> {
  const rows = await asTenant(deps.db, viewer, (tx) =>
    shownRows(tx)
      // The chat on one's own site has a screen of its own.
      .where(and(eq(integrations.orgId, viewer.organizationId), ne(integrations.platform, "web")))
      .orderBy(desc(integrations.createdAt), desc(integrations.id)),
  );
  return rows.map((row) => toIntegration(deps, viewer, row));
}

/** @throws Problem 404 */
export async function readIntegration(deps: IntegrationDeps, viewer: Viewer, id: string): Promise<Integration> {
  return toIntegration(deps, viewer, await asTenant(deps.db, viewer, (tx) => getIntegrationRow(tx, viewer, id)));
}

type Asked = { account: ChannelAccount | null; trouble: string | null };

/**
 * Who the credentials belong to; without an account where the platform is not served or cannot be asked now: the supervisor asks
 * again.
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
 * Seals the credentials under the id that the row is about to get. A new integration only drafts: what goes out by itself is the owner's later choice.
 * @throws Problem 404 or 403 for a twin that the viewer may not change, 422 for credentials that the platform refuses
 */
export async function createIntegration(
  deps: IntegrationDeps,
  viewer: Viewer,
  input: IntegrationInput,
): Promise<Integration> {
  const { db, vault, config } = deps;
  const { digitalTwinId, platform, settings } = input;
  const row = { id: randomUUID(), orgId: viewer.organizationId };
  const credentials = credentialsOf(input);
  const channel = openChannel(credentials, config, null);
  // Before the platform is asked: whose twin it is is answered first.
  await asTenant(db, viewer, (tx) => getChangeableTwin(tx, viewer, digitalTwinId));
  const asked = await askAccount(channel);
  const trouble = platform === "telegram" && channel === null ? SIGN_IN_FIRST : asked.trouble;
  const delivered = channel?.announce !== undefined && isReachable(config.publicUrl);
  const limitation = asked.account === null || delivered ? null : (channel?.limitation ?? null);
  return asTenant(db, viewer, async (tx) => {
    const twin = await getChangeableTwin(tx, viewer, digitalTwinId);
    await tx.insert(integrations).values({
      ...row,
      twinId: twin.id,
      platform,
      credentials: sealCredentials(vault, row, credentials),
      account: asked.account?.name,
      accountId: asked.account?.id,
      trouble,
      limitation,
      // At once, so that the owner finds it where he has just come from.
      ...(channel?.webhook !== undefined && platform in ENTERED_BY_OWNER ? newWebhook(vault, row) : {}),
      phoneNumber: input.phoneNumber || settings?.phone_number || null,
      settings: openSettings(platform, settings),
    });
    const told = trouble ?? limitation;
    if (told !== null) await noteEvent(tx, row.orgId, row.id, told);
    await recordActivity(tx, viewer, twin, "integration_created", `Подключена платформа ${PLATFORM_NAMES[platform]}`);
    await auditInTenant(tx, {
      action: "integration-created",
      userId: viewer.userId,
      organizationId: viewer.organizationId,
      subject: row.id,
      detail: { platform, twinId: twin.id },
    });
    return toIntegration(deps, viewer, await getIntegrationRow(tx, viewer, row.id));
  });
}

/** What is no secret among the settings. */
function openSettings(
  platform: IntegrationInput["platform"],
  settings: IntegrationInput["settings"],
): Integration["settings"] {
  if (platform === "telegram") return { success_rate: TELEGRAM_SUCCESS_RATE };
  return platform === "email" && settings?.address ? { address: settings.address } : {};
}

/** The integration with this id in the viewer's organisation. @throws Problem 404 */
export async function getIntegrationRow(tx: Tx, viewer: Viewer, id: string): Promise<IntegrationRow> {
  const [row] = await shownRows(tx).where(and(eq(integrations.id, id), eq(integrations.orgId, viewer.organizationId)));
  if (row === undefined) throw integrationNotFound();
  return row;
}

const integrationNotFound = () => notFound("Интеграция не найдена", "integration_not_found");

/** The same for a caller who is about to change it or to make it work. @throws Problem 404; 403 for a member who may only read its twin */
export async function getChangeableIntegration(tx: Tx, viewer: Viewer, id: string): Promise<IntegrationRow> {
  const row = await getIntegrationRow(tx, viewer, id);
  canChange(viewer, row);
  return row;
}

/** The same for the twin's owner alone: whom he talks to is nobody else's business. @throws Problem 404, 403 */
export async function getOwnIntegration(tx: Tx, viewer: Viewer, id: string): Promise<IntegrationRow> {
  const row = await getIntegrationRow(tx, viewer, id);
  if (row.ownerId !== viewer.userId) throw integrationNotFound();
  canChange(viewer, row);
  return row;
}

/**
 * Fields that the update does not carry stay as they are. With another twin the history that was brought in stays with the former
 * one, so the new one starts without any.
 * @throws Problem 404 or 403, for the integration and for the new twin
 */
export async function updateIntegration(
  deps: IntegrationDeps,
  viewer: Viewer,
  id: string,
  { status, autonomy, digitalTwinId, workingHours }: IntegrationUpdate,
): Promise<Integration> {
  return asTenant(deps.db, viewer, async (tx) => {
    const { twinId } = await getChangeableIntegration(tx, viewer, id);
    const moved = digitalTwinId !== undefined && digitalTwinId !== twinId;
    if (moved) {
      await getChangeableTwin(tx, viewer, digitalTwinId);
      await leaveConversations(tx, id);
    }
    await tx
      .update(integrations)
      .set({
        status,
        // The owner's word is the newest: an old reason says nothing of it.
        ...(status === undefined ? {} : { statusReason: null }),
        autonomy,
        workingHours,
        ...(moved ? { twinId: digitalTwinId, sourceId: null, messagesImported: 0, lastSyncAt: null } : {}),
        updatedAt: new Date(),
      })
      .where(eq(integrations.id, id));
    const { userId, organizationId } = viewer;
    const changed = [
      moved && "двойник",
      status !== undefined && "состояние",
      autonomy !== undefined && "самостоятельность",
      workingHours !== undefined && "рабочие часы",
    ].filter(Boolean);
    const detail = { twinId: moved ? digitalTwinId : twinId, changed };
    await auditInTenant(tx, { action: "integration-changed", userId, organizationId, subject: id, detail });
    return toIntegration(deps, viewer, await getIntegrationRow(tx, viewer, id));
  });
}

/** With another twin the talks begin anew: the former twin's stay with it, and nothing of it goes out any more. */
async function leaveConversations(tx: Tx, id: string): Promise<void> {
  await tx.update(conversations).set({ integrationId: null }).where(eq(conversations.integrationId, id));
  await tx
    .update(outbox)
    .set({ state: "cancelled", reason: "Интеграцию получил другой двойник" })
    .where(and(eq(outbox.integrationId, id), inArray(outbox.state, ["draft", "pending"])));
}

/**
 * Its credentials and its session go with it, and stored answers that speak of it; the history that it brought in stays with the
 * twin. What is on its way by it has arrived or been ended before this is answered.
 */
export async function removeIntegration(db: Database, viewer: Viewer, id: string): Promise<void> {
  await asTenant(db, viewer, (tx) => getChangeableIntegration(tx, viewer, id));
  await signOut(id);
  const claim = async (tx: Tx) => {
    await getChangeableIntegration(tx, viewer, id);
    await lockTwinOfIntegration(tx, id);
    await tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.id, id)).for("update");
    return { integrationId: id };
  };
  await deleteOnceSent(db, viewer, claim, async (tx) => {
    const { platform, twinId } = await getChangeableIntegration(tx, viewer, id);
    await forgetAnswersAbout(tx, [id]);
    await tx.delete(integrations).where(eq(integrations.id, id));
    await auditInTenant(tx, {
      action: "integration-deleted",
      userId: viewer.userId,
      organizationId: viewer.organizationId,
      subject: id,
      detail: { platform, twinId },
    });
  });
}

function toIntegration(deps: IntegrationDeps, viewer: Viewer, row: IntegrationRow): Integration {
  const mayChange = mayChangeTwin(viewer, row);
  const phoneNumber = mayChange ? row.phoneNumber : hideMiddle(row.phoneNumber);
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
    settings: row.settings as Integration["settings"],
    autonomy: row.autonomy,
    account: mayChange || row.platform !== "whatsapp" ? row.account : hideMiddle(row.account),
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

function webhookToEnter({ vault, config }: IntegrationDeps, row: IntegrationRow): Integration["webhook"] {
  const { webhookPath, webhookSecret } = row;
  const entered = ENTERED_BY_OWNER[row.platform];
  if (entered === undefined || webhookPath === null || webhookSecret === null) return null;
  if (!isReachable(config.publicUrl)) return null;
  return {
    url: webhookUrl(config.publicUrl, webhookPath),
    verifyToken: entered === "address and token" ? openWebhookSecret(vault, row, webhookSecret) : null,
  };
}

const troubleOf = (row: IntegrationRow): string | null => row.trouble ?? (isBroken(row) ? SENDING_WAITS : null);

function connectionOf(row: IntegrationRow): Connection {
  if (row.status === "inactive") return "paused";
  if (row.status === "error") return "action";
  if (troubleOf(row) !== null) return "trouble";
  return row.account === null ? "connecting" : "connected";
}

/** «+79•••••••67»: a colleague recognises the account and learns no number. */
export function hideMiddle(phone: string | null): string | null {
  if (phone === null) return null;
  const shownEnds = phone.length >= 9 ? [3, 2] : [0, 0];
  const [head, tail] = shownEnds as [number, number];
  return phone.slice(0, head) + "•".repeat(phone.length - head - tail) + phone.slice(phone.length - tail);
}
