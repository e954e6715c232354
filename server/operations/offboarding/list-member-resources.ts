/** Lists a member's resources for an administrator before the member is removed. */
import { and, asc, eq, isNull } from "drizzle-orm";
import type { MemberResources } from "#contract/organizations/organizations.ts";
import type { ActingUser } from "#server/accounts/organizations/acting.ts";
import { resourcesWhere } from "#server/accounts/organizations/member-resources.ts";
import { findLeavingMember, memberNotFound } from "#server/accounts/organizations/members.ts";
import { withPlatformRows } from "#server/accounts/organizations/platform-rows.ts";
import { asTenantOfPlatform, type Database } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { apiKeys, webhooks } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

/** Lists names only; of a webhook's URL only the host, because its path is often secret. @throws Problem 404, 409 as the removal */
export function memberResources(db: Database, acting: ActingUser, id: string): Promise<MemberResources> {
  const { organizationId: orgId } = acting;
  return asTenantOfPlatform(db, acting, async (tx) => {
    const { made, heir } = await withPlatformRows(tx, async () => {
      const leaving = await findLeavingMember(tx, acting, id);
      if (leaving === null) throw memberNotFound();
      const [heir] = await tx.select().from(users).where(eq(users.id, leaving.heirId));
      return { made: leaving.made, heir: heir! };
    });
    const which = resourcesWhere(tx, orgId, id, made);
    const name = [heir.firstName, heir.lastName].filter(Boolean).join(" ");
    return {
      twins: await tx
        .select({ id: twins.id, name: twins.name })
        .from(twins)
        .where(and(eq(twins.orgId, orgId), eq(twins.ownerId, id)))
        .orderBy(asc(twins.createdAt), asc(twins.id)),
      keys: await tx
        .select({ id: apiKeys.id, name: apiKeys.name, twinName: twins.name })
        .from(apiKeys)
        .innerJoin(twins, eq(twins.id, apiKeys.twinId))
        .where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.createdBy, id), isNull(apiKeys.revokedAt)))
        .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id)),
      webhooks: (
        await tx
          .select({ id: webhooks.id, url: webhooks.url, twinName: twins.name })
          .from(webhooks)
          .innerJoin(twins, eq(twins.id, webhooks.twinId))
          .where(which.webhooks)
          .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
      ).map(({ url, ...hook }) => ({ ...hook, host: new URL(url).host })),
      integrations: await tx
        .select({
          id: integrations.id,
          platform: integrations.platform,
          account: integrations.account,
          twinName: twins.name,
        })
        .from(integrations)
        .innerJoin(twins, eq(twins.id, integrations.twinId))
        .where(which.integrations)
        .orderBy(asc(integrations.createdAt), asc(integrations.id)),
      heir: { id: heir.id, name: name || (heir.email ?? heir.telegramUsername ?? "Администратор") },
    };
  });
}
