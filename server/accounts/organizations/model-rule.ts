/**
 * «Только локальная модель»: an organisation's texts go only to models that the operator marks as local
 * (docs/decisions/031-remote-models-and-budgets.md).
 */
import { eq } from "drizzle-orm";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { localModelRules } from "#server/platform/db/schema/models.ts";
import type { Caller } from "#server/platform/http/route.ts";

export async function isLocalOnly(tx: Tx, orgId: string): Promise<boolean> {
  const rows = await tx
    .select({ orgId: localModelRules.orgId })
    .from(localModelRules)
    .where(eq(localModelRules.orgId, orgId));
  return rows.length > 0;
}

export const readModelRule = (db: Database, tenant: Tenant): Promise<boolean> =>
  asTenant(db, tenant, (tx) => isLocalOnly(tx, tenant.organizationId));

/** Sets whether only local models may answer. The rule applies from the next answer. */
export function setModelRule(db: Database, caller: Caller, localOnly: boolean): Promise<void> {
  const { organizationId, userId } = caller;
  return asTenant(db, caller, async (tx) => {
    const changed = localOnly
      ? await tx
          .insert(localModelRules)
          .values({ orgId: organizationId, setBy: userId })
          .onConflictDoNothing()
          .returning({ orgId: localModelRules.orgId })
      : await tx
          .delete(localModelRules)
          .where(eq(localModelRules.orgId, organizationId))
          .returning({ orgId: localModelRules.orgId });
    if (changed.length === 0) return;
    await auditInTenant(tx, { action: "model-rule-changed", userId, organizationId, detail: { localOnly } });
  });
}
