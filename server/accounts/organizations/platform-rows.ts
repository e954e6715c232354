import { eq, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { organizations } from "#server/platform/db/schema/accounts.ts";
import { notFound } from "#server/platform/errors.ts";

export const organizationNotFound = () => notFound("Организация не найдена", "organization_not_found");

/**
 * Gives `work` access to the platform's tables (people, memberships) inside a tenant's transaction, so that both change together. `work`
 * runs without the role of requests, which cannot see these tables, and therefore names the organisation in each of its conditions.
 * @param tx of `asTenantOfPlatform`: the connections of requests cannot leave the tenant's role
 */
export async function withPlatformRows<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`set local role none`);
  const result = await work();
  await tx.execute(sql`set local role dt_request`);
  return result;
}

/** Serialises changes of an organisation's members, so that two administrators cannot demote each other at once. */
export async function lockOrganization(tx: Tx, orgId: string): Promise<void> {
  const [row] = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, orgId))
    .for("no key update");
  if (row === undefined) throw organizationNotFound();
}

export const searchPattern = (words: string): string => `%${words.trim().replace(/[\\%_]/g, "\\$&")}%`;
