/**
 * The account of an unconfirmed e-mail may belong to an impostor. A user who proves later that the mailbox is theirs gets a new account
 * (docs/decisions/015-accounts-and-sign-in.md). Its id is new, so that nothing that refers to the old account can act for it.
 */
import { eq, inArray, or, sql } from "drizzle-orm";

import type { Tx } from "#server/platform/db/database.ts";
import { organizations, users } from "#server/platform/db/schema/accounts.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { audit } from "./audit.ts";
import type { UserRow } from "./user-json.ts";

/**
 * Removes the unconfirmed account with everything that was made in it: sessions, links, memberships and the organisations that it founded.
 * With these go their twins, documents, keys, webhooks, integrations, invitations and the memberships of invited users. Then creates a
 * confirmed account with the same e-mail and no membership.
 * @param user an unconfirmed account whose row the caller has locked
 * @returns the new account, and stored names of files for the caller to remove after the commit
 */
export async function replaceUnconfirmedAccount(
  tx: Tx,
  user: UserRow & { email: string },
  owner: NewOwner,
): Promise<{ user: UserRow; files: string[] }> {
  const founded = await foundedBy(tx, user.id);
  const files = await filesOf(
    tx,
    user.id,
    founded.map(({ id }) => id),
  );
  for (const { id, members } of founded) {
    await tx.delete(organizations).where(eq(organizations.id, id));
    await audit(tx, {
      action: "account-started-clean",
      userId: user.id,
      organizationId: id,
      detail: { otherMembers: members - 1 },
    });
  }
  await tx.delete(users).where(eq(users.id, user.id));
  const [made] = await tx
    .insert(users)
    .values({ ...owner, authMethod: "email", email: user.email, emailConfirmedAt: new Date() })
    .returning();
  await audit(tx, {
    action: "account-started-clean",
    userId: made!.id,
    subject: user.id,
    detail: { organizations: founded.length },
  });
  return { user: made!, files };
}

interface NewOwner {
  passwordHash: string;
  superAdmin: boolean;
  firstName?: string;
  lastName?: string;
}

/** Returns the organisations whose oldest member is this user, with the number of their members. */
async function foundedBy(tx: Tx, userId: string): Promise<{ id: string; members: number }[]> {
  const { rows } = await tx.execute<{ id: string; members: number }>(sql`
    select m.org_id as id, (select count(*) from memberships c where c.org_id = m.org_id) as members
    from memberships m
    where m.user_id = ${userId} and not exists (
      select 1 from memberships o
      where o.org_id = m.org_id and (o.created_at, o.user_id) < (m.created_at, m.user_id))`);
  return rows;
}

/**
 * Returns stored names of files of these organisations and of the user's twins elsewhere. The query uses the platform's role: row-level
 * security hides tenants' rows even from the owner of the tables.
 */
async function filesOf(tx: Tx, userId: string, orgIds: string[]): Promise<string[]> {
  await tx.execute(sql`set local role dt_platform`);
  const own = tx.select({ id: twins.id }).from(twins).where(eq(twins.ownerId, userId));
  const kept = await tx
    .select({ name: imports.storedName })
    .from(imports)
    .where(or(inArray(imports.orgId, orgIds), inArray(imports.twinId, own)));
  const sent = await tx
    .select({ name: exportUploads.storedName })
    .from(exportUploads)
    .where(or(inArray(exportUploads.orgId, orgIds), inArray(exportUploads.twinId, own)));
  const made = await tx
    .select({ name: dataExports.storedName })
    .from(dataExports)
    .where(or(inArray(dataExports.orgId, orgIds), eq(dataExports.userId, userId)));
  await tx.execute(sql`set local role none`);
  return [...kept, ...sent, ...made].flatMap(({ name }) => name ?? []);
}
