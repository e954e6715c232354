/** Who belongs to an organisation: the list, roles, removal. Callers have checked that the actor may. */
import { and, asc, count, eq, gt, ne, sql } from "drizzle-orm";
import type { Role } from "#contract/auth.ts";
import { type Member, PORTION } from "#contract/organizations.ts";
import { audit, maskedEmail } from "#server/auth/audit.ts";
import { asTenant, asTenantOfPlatform, type Database, type Tx } from "#server/db/database.ts";
import {
  conversations,
  idempotencyKeys,
  invitations,
  memberships,
  ownerChats,
  sessions,
  twins,
  users,
} from "#server/db/schema.ts";
import { conflict, notFound } from "#server/errors.ts";
import { listInvitations, toInvited } from "./invitations.ts";
import { lockOrganization, searchPattern, withPlatformRows } from "./platform-rows.ts";

/** Who acts, in which organisation: an administrator's own, or any for the platform's. */
export interface Acting {
  userId: string;
  organizationId: string;
}

const memberNotFound = () => notFound("Участник не найден", "member_not_found");

/** Oldest first, a portion at a time; whoever is invited stands before the first portion. */
export async function listMembers(
  db: Database,
  acting: Acting,
  { after, q = "" }: { after?: string | undefined; q?: string | undefined } = {},
): Promise<Member[]> {
  const orgId = acting.organizationId;
  const about = sql`concat_ws(' ', ${users.firstName}, ${users.lastName}, ${users.email}, ${users.telegramUsername})`;
  const rows = await db
    .select({ user: users, role: memberships.role, since: memberships.createdAt })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.orgId, orgId),
        q.trim() === "" ? undefined : sql`${about} ilike ${searchPattern(q)}`,
        after === undefined
          ? undefined
          : sql`(${memberships.createdAt}, ${memberships.userId}) > (
              select m.created_at, m.user_id from ${memberships} m where m.org_id = ${orgId} and m.user_id = ${after})`,
      ),
    )
    .orderBy(asc(memberships.createdAt), asc(memberships.userId))
    .limit(PORTION);
  const owned = await twinsByOwner(db, acting);
  const invited = after === undefined ? await listInvitations(db, orgId, q) : [];
  return [...invited, ...rows.map(({ user, role, since }) => toMember(user, role, since, owned.get(user.id) ?? 0))];
}

async function twinsByOwner(db: Database, acting: Acting): Promise<Map<string, number>> {
  const rows = await asTenant(db, acting, (tx) =>
    tx
      .select({ ownerId: twins.ownerId, twins: count() })
      .from(twins)
      .where(eq(twins.orgId, acting.organizationId))
      .groupBy(twins.ownerId),
  );
  return new Map(rows.map((row) => [row.ownerId, row.twins]));
}

/**
 * The role acts on the member's next request. For somebody who is only invited it is the role to come.
 * @throws Problem 404 for a stranger, 409 when the organisation would lose its last administrator
 */
export async function changeRole(db: Database, acting: Acting, id: string, role: Role): Promise<Member> {
  const orgId = acting.organizationId;
  return asTenantOfPlatform(db, acting, async (tx) => {
    const changed = await withPlatformRows(tx, async () => {
      await lockOrganization(tx, orgId);
      const [member] = await tx
        .select({ user: users, role: memberships.role, since: memberships.createdAt })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, id)));
      if (member === undefined) {
        const [invitation] = await tx
          .update(invitations)
          .set({ role })
          .where(and(eq(invitations.orgId, orgId), eq(invitations.id, id), gt(invitations.expiresAt, new Date())))
          .returning();
        if (invitation === undefined) throw memberNotFound();
        await audit(tx, {
          action: "role-changed",
          ...acting,
          subject: maskedEmail(invitation.email),
          detail: { role },
        });
        return { invitation };
      }
      if (member.role === "org_admin" && role !== "org_admin") await otherAdministrators(tx, orgId, id);
      await tx
        .update(memberships)
        .set({ role })
        .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, id)));
      await audit(tx, { action: "role-changed", ...acting, subject: id, detail: { from: member.role, role } });
      return { member };
    });
    if (changed.invitation !== undefined) return toInvited(changed.invitation);
    const [owned] = await tx
      .select({ twins: count() })
      .from(twins)
      .where(and(eq(twins.orgId, orgId), eq(twins.ownerId, id)));
    const { user, since } = changed.member;
    return toMember(user, role, since, owned!.twins);
  });
}

/**
 * Ends the membership and its sessions. The member's twins pass, paused, to the administrator who acts (else to the oldest one):
 * what they know stays with the organisation, but they stop speaking for somebody who has left. The member's own test chats go.
 * For somebody who is only invited, the link ends.
 * @throws Problem 404 for a stranger, 409 for the last administrator
 */
export async function removeMember(db: Database, acting: Acting, id: string): Promise<void> {
  const orgId = acting.organizationId;
  await asTenantOfPlatform(db, acting, async (tx) => {
    const heir = await withPlatformRows(tx, async () => {
      await lockOrganization(tx, orgId);
      const [member] = await tx
        .delete(memberships)
        .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, id)))
        .returning();
      if (member === undefined) {
        await revokeInvitation(tx, acting, id);
        return null;
      }
      const administrators = await otherAdministrators(tx, orgId, id);
      await tx.delete(sessions).where(and(eq(sessions.orgId, orgId), eq(sessions.userId, id)));
      await audit(tx, { action: "member-removed", ...acting, subject: id, detail: { role: member.role } });
      return administrators.includes(acting.userId) ? acting.userId : administrators[0]!;
    });
    if (heir === null) return;
    await tx
      .update(twins)
      .set({ ownerId: heir, isActive: false, updatedAt: new Date() })
      .where(and(eq(twins.orgId, orgId), eq(twins.ownerId, id)));
    await tx.delete(conversations).where(and(eq(conversations.orgId, orgId), eq(conversations.userId, id)));
    await tx.delete(ownerChats).where(and(eq(ownerChats.orgId, orgId), eq(ownerChats.userId, id)));
    await tx.delete(idempotencyKeys).where(and(eq(idempotencyKeys.orgId, orgId), eq(idempotencyKeys.userId, id)));
  });
}

async function revokeInvitation(tx: Tx, acting: Acting, id: string): Promise<void> {
  const [invitation] = await tx
    .delete(invitations)
    .where(and(eq(invitations.orgId, acting.organizationId), eq(invitations.id, id)))
    .returning();
  if (invitation === undefined) throw memberNotFound();
  await audit(tx, { action: "invitation-revoked", ...acting, subject: maskedEmail(invitation.email) });
}

/** Ids of the administrators beside `userId`, oldest first. @throws Problem 409 when there is none */
async function otherAdministrators(tx: Tx, orgId: string, userId: string): Promise<string[]> {
  const rows = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.orgId, orgId), eq(memberships.role, "org_admin"), ne(memberships.userId, userId)))
    .orderBy(asc(memberships.createdAt), asc(memberships.userId));
  if (rows.length === 0) {
    throw conflict("last_administrator", "В организации должен остаться хотя бы один администратор");
  }
  return rows.map((row) => row.userId);
}

function toMember(user: typeof users.$inferSelect, role: Role, since: Date, owned: number): Member {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    username: user.telegramUsername,
    role,
    status: "active",
    twins: owned,
    createdAt: since.toISOString(),
  };
}
