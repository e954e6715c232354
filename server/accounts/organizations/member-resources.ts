/** What a member has connected in an organisation: it ends with the membership, and is switched off when the member becomes a viewer. */
import { and, eq, inArray, isNull, or } from "drizzle-orm";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { apiKeys, webhookDeliveries, webhooks } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { ActingUser } from "./acting.ts";

export interface MemberCreations {
  webhooks: string[];
  integrations: string[];
}

/** Returns what the member has created on any twin, according to the audit log; call it within `withPlatformRows`. */
export async function creationsOf(tx: Tx, orgId: string, memberId: string): Promise<MemberCreations> {
  const rows = await tx
    .select({ action: auditLog.action, subject: auditLog.subject })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.orgId, orgId),
        eq(auditLog.userId, memberId),
        inArray(auditLog.action, ["webhook-created", "integration-created"]),
      ),
    );
  const of = (action: string) => rows.filter((row) => row.action === action).flatMap(({ subject }) => subject ?? []);
  return { webhooks: of("webhook-created"), integrations: of("integration-created") };
}

/** Returns SQL conditions: in the organisation, and either on the member's own twins or created by the member. */
export function resourcesWhere(tx: Tx, orgId: string, memberId: string, made: MemberCreations) {
  const own = tx
    .select({ id: twins.id })
    .from(twins)
    .where(and(eq(twins.orgId, orgId), eq(twins.ownerId, memberId)));
  return {
    webhooks: and(
      eq(webhooks.orgId, orgId),
      or(inArray(webhooks.twinId, own), made.webhooks.length > 0 ? inArray(webhooks.id, made.webhooks) : undefined),
    ),
    integrations: and(
      eq(integrations.orgId, orgId),
      or(
        inArray(integrations.twinId, own),
        made.integrations.length > 0 ? inArray(integrations.id, made.integrations) : undefined,
      ),
    ),
  };
}

async function revokeKeys(tx: Tx, orgId: string, memberId: string): Promise<number> {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.createdBy, memberId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return revoked.length;
}

/**
 * Ends the keys, webhooks and integrations of a leaving member before the twins pass to another owner. Waiting deliveries are deleted with
 * their webhook; credentials, sessions and waiting answers with their integration, whose connection the supervisor then closes.
 * Conversations stay with the twin.
 */
export async function endResources(tx: Tx, acting: ActingUser, memberId: string, made: MemberCreations): Promise<void> {
  const { organizationId: orgId } = acting;
  const which = resourcesWhere(tx, orgId, memberId, made);
  const keys = await revokeKeys(tx, orgId, memberId);
  const hooks = await tx.delete(webhooks).where(which.webhooks).returning({ id: webhooks.id });
  const platforms = await tx.delete(integrations).where(which.integrations).returning({ id: integrations.id });
  const detail = { keys, webhooks: hooks.length, integrations: platforms.length };
  await auditInTenant(tx, { action: "holdings-ended", ...acting, subject: memberId, detail });
}

/** For a member who becomes a viewer: revokes the keys and switches off the rest, which an administrator can switch on again. */
export async function switchOffResources(
  tx: Tx,
  acting: ActingUser,
  memberId: string,
  made: MemberCreations,
): Promise<void> {
  const { organizationId: orgId } = acting;
  const which = resourcesWhere(tx, orgId, memberId, made);
  const reason = "Участник, который это подключил, теперь наблюдатель";
  const keys = await revokeKeys(tx, orgId, memberId);
  const hooks = await tx
    .update(webhooks)
    .set({ enabled: false, disabledReason: reason })
    .where(which.webhooks)
    .returning({ id: webhooks.id });
  if (hooks.length > 0) {
    const ids = hooks.map(({ id }) => id);
    await tx
      .update(webhookDeliveries)
      .set({ state: "failed", error: "Вебхук отключён" })
      .where(and(inArray(webhookDeliveries.webhookId, ids), eq(webhookDeliveries.state, "pending")));
  }
  const platforms = await tx
    .update(integrations)
    .set({ status: "inactive", statusReason: reason, updatedAt: new Date() })
    .where(and(which.integrations, eq(integrations.status, "active")))
    .returning({ id: integrations.id });
  const detail = { keys, webhooks: hooks.length, integrations: platforms.length };
  await auditInTenant(tx, { action: "holdings-ended", ...acting, subject: memberId, detail });
}
