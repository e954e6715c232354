/** Removes a member from an organisation: the member's connections end, and their twins are handed over or deleted. */

import { and, eq, inArray } from "drizzle-orm";
import type { TwinHandover } from "#contract/organizations/organizations.ts";
import { audit, auditInTenant } from "#server/accounts/auth/audit.ts";
import type { ActingUser } from "#server/accounts/organizations/acting.ts";
import { endResources, type MemberCreations, resourcesWhere } from "#server/accounts/organizations/member-resources.ts";
import {
  findLeavingMember,
  type LeavingMember,
  memberNotFound,
  revokeInvitation,
} from "#server/accounts/organizations/members.ts";
import { withPlatformRows } from "#server/accounts/organizations/platform-rows.ts";
import { announceTwinDeleted } from "#server/accounts/twins/deleted-twins.ts";
import { drainThenDelete, type Sender } from "#server/accounts/twins/in-flight-sends.ts";
import { removeTwinRows } from "#server/accounts/twins/twins.ts";
import { signOut } from "#server/inbox/telegram-account/live-accounts.ts";
import { forgetLetters } from "#server/knowledge/forgetting/forget-letters.ts";
import { asTenantOfPlatform, type Database, type Tx } from "#server/platform/db/database.ts";
import { memberships, sessions } from "#server/platform/db/schema/accounts.ts";
import { integrations, ownerChats, telegramLogins } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { idempotencyKeys } from "#server/platform/db/schema/platform.ts";
import { crmTwins, webhooks } from "#server/platform/db/schema/programs.ts";
import { tools } from "#server/platform/db/schema/tools.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";

export interface RemovalDeps {
  db: Database;
  jobs: Jobs;
  log: Log;
  files: FileStore;
}

/**
 * Ends the membership with its sessions, keys, webhooks, integrations and own test chats. The member's twins pass to the acting
 * administrator (else the oldest one), paused and without his message history, or are deleted. Before it returns, every send has arrived or
 * was ended. An invited person's link ends.
 * @throws Problem 404 for a stranger, 409 for the last administrator
 */
export async function removeMember(
  deps: RemovalDeps,
  acting: ActingUser,
  id: string,
  twinsThen: TwinHandover = "hand-over",
): Promise<void> {
  await offboard(deps, acting, id, { twinsThen, membership: "ends" });
}

/**
 * Does the same for an account that is being deleted, with its twins. The membership and the calling session stay until the account's row
 * is deleted, so an interrupted deletion can be requested again.
 * @throws Problem 404, 409 as removeMember
 */
export async function leaveWithAccount(deps: RemovalDeps, leaving: ActingUser): Promise<void> {
  await offboard(deps, leaving, leaving.userId, { twinsThen: "delete", membership: "stands" });
}

interface Offboarding {
  twinsThen: TwinHandover;
  membership: "ends" | "stands";
}

async function offboard(deps: RemovalDeps, acting: ActingUser, id: string, how: Offboarding): Promise<void> {
  const { db } = deps;
  const connected = await asTenantOfPlatform(db, acting, async (tx) => {
    const made = await withPlatformRows(tx, async () => {
      const leaving = await findLeavingMember(tx, acting, id);
      if (leaving === null) await revokeInvitation(tx, acting, id);
      return leaving?.made ?? null;
    });
    return made === null ? null : integrationsOf(tx, acting, id, made);
  });
  if (connected === null) return;
  for (const integration of connected) await signOut(integration.id);

  let leaving: LeavingMember | null = null;
  const claim = async (tx: Tx): Promise<Sender[]> => {
    leaving = await withPlatformRows(tx, () => findLeavingMember(tx, acting, id));
    if (leaving === null) throw memberNotFound();
    return lockResources(tx, acting, id, leaving.made);
  };
  const remove = (tx: Tx) => removeRows(tx, deps.jobs, acting, { id, ...leaving! }, how);
  const { files, deletedTwins } = await drainThenDelete(db, acting, claim, remove, asTenantOfPlatform);
  deletedTwins.forEach(announceTwinDeleted);
  // Files are deleted after the commit, because a rolled back removal keeps them.
  await removeFiles(deps, files);
}

const integrationsOf = (tx: Tx, acting: ActingUser, id: string, made: MemberCreations) =>
  tx
    .select({ id: integrations.id, twinId: integrations.twinId })
    .from(integrations)
    .where(resourcesWhere(tx, acting.organizationId, id, made).integrations)
    .orderBy(integrations.id);

const twinsOf = (tx: Tx, acting: ActingUser, id: string) =>
  tx
    .select({ id: twins.id })
    .from(twins)
    .where(and(eq(twins.orgId, acting.organizationId), eq(twins.ownerId, id)))
    .orderBy(twins.id);

/** Locks twins before their dependents, each kind in a fixed order, like sends and other deletions do. */
async function lockResources(tx: Tx, acting: ActingUser, id: string, made: MemberCreations): Promise<Sender[]> {
  const own = await twinsOf(tx, acting, id);
  const served = await integrationsOf(tx, acting, id, made);
  const twinIds = [...new Set([...own.map((twin) => twin.id), ...served.map(({ twinId }) => twinId)])];
  await tx
    .select({ id: twins.id })
    .from(twins)
    .where(inArray(twins.id, twinIds))
    .orderBy(twins.id)
    .for("no key update");
  const platforms = await integrationsOf(tx, acting, id, made).for("update");
  const hooks = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(resourcesWhere(tx, acting.organizationId, id, made).webhooks)
    .orderBy(webhooks.id)
    .for("update");
  return [
    ...own.map((twin) => ({ twinId: twin.id })),
    ...platforms.map((integration) => ({ integrationId: integration.id })),
    ...hooks.map((hook) => ({ webhookId: hook.id })),
  ];
}

/** @returns stored names of files to remove, and twins whose deletion to announce, after the commit */
async function removeRows(
  tx: Tx,
  jobs: Jobs,
  acting: ActingUser,
  { id, role, heirId, made }: LeavingMember & { id: string },
  { twinsThen, membership }: Offboarding,
): Promise<{ files: string[]; deletedTwins: string[] }> {
  const { organizationId: orgId } = acting;
  if (membership === "ends") {
    await withPlatformRows(tx, async () => {
      await tx.delete(memberships).where(and(eq(memberships.orgId, orgId), eq(memberships.userId, id)));
      await tx.delete(sessions).where(and(eq(sessions.orgId, orgId), eq(sessions.userId, id)));
      await audit(tx, { action: "member-removed", ...acting, subject: id, detail: { role, twins: twinsThen } });
    });
  }
  await endResources(tx, acting, id, made);
  await tx.delete(conversations).where(and(eq(conversations.orgId, orgId), eq(conversations.userId, id)));
  await tx.delete(ownerChats).where(and(eq(ownerChats.orgId, orgId), eq(ownerChats.userId, id)));
  await tx.delete(telegramLogins).where(and(eq(telegramLogins.orgId, orgId), eq(telegramLogins.userId, id)));
  await tx.delete(idempotencyKeys).where(and(eq(idempotencyKeys.orgId, orgId), eq(idempotencyKeys.userId, id)));
  // Exports made for the member no longer belong to him.
  const archives = await tx
    .delete(dataExports)
    .where(and(eq(dataExports.orgId, orgId), eq(dataExports.userId, id)))
    .returning({ name: dataExports.storedName });
  const files = archives.flatMap(({ name }) => name ?? []);
  const owned = (await twinsOf(tx, acting, id)).map((twin) => twin.id);
  for (const twinId of owned) {
    if (twinsThen === "delete") files.push(...(await removeTwinRows(tx, acting, twinId)));
    else files.push(...(await handOver(tx, jobs, acting, twinId, { from: id, to: heirId })));
  }
  return { files, deletedTwins: twinsThen === "delete" ? owned : [] };
}

async function handOver(
  tx: Tx,
  jobs: Jobs,
  acting: ActingUser,
  twinId: string,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const tenant = { organizationId: acting.organizationId, userId: to };
  const files = await forgetLetters({ tx, jobs, tenant, twinId }, from);
  // The CRM was the former owner's choice.
  await tx.delete(crmTwins).where(eq(crmTwins.twinId, twinId));
  // The new owner switches on what he wants to answer for.
  await tx.update(tools).set({ enabled: false }).where(eq(tools.twinId, twinId));
  await tx.update(twins).set({ ownerId: to, isActive: false, updatedAt: new Date() }).where(eq(twins.id, twinId));
  await auditInTenant(tx, { action: "twin-handed-over", ...acting, subject: twinId, detail: { from, to } });
  return files;
}
