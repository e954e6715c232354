/** «Только локальная модель»: an organisation's words go to no model but those that the operator calls local (docs/decisions/043). */
import { eq } from "drizzle-orm";
import { auditInTenant } from "#server/auth/audit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { localModelRules } from "#server/db/schema.ts";
import type { Viewer } from "#server/http.ts";

export async function isLocalOnly(tx: Tx, orgId: string): Promise<boolean> {
  const rows = await tx
    .select({ orgId: localModelRules.orgId })
    .from(localModelRules)
    .where(eq(localModelRules.orgId, orgId));
  return rows.length > 0;
}

export const readModelRule = (db: Database, tenant: Tenant): Promise<boolean> =>
  asTenant(db, tenant, (tx) => isLocalOnly(tx, tenant.organizationId));

/** Holds from the next answer on. */
export function setModelRule(db: Database, viewer: Viewer, localOnly: boolean): Promise<void> {
  const { organizationId, userId } = viewer;
  return asTenant(db, viewer, async (tx) => {
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
