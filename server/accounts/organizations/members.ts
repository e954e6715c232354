/** The members of an organisation: the list, roles, removal. Callers have checked that the actor may do this. */
import { and, asc, count, eq, gt, ne, sql } from "drizzle-orm";
import type { Role } from "#contract/organizations/auth.ts";
import { type Member, PAGE_SIZE } from "#contract/organizations/organizations.ts";
import { audit, maskedEmail } from "#server/accounts/auth/audit.ts";
import { asTenant, asTenantOfPlatform, type Database, type Tx } from "#server/platform/db/database.ts";
import { invitations, memberships, users } from "#server/platform/db/schema/accounts.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { ActingUser } from "./acting.ts";
import { listInvitations, toInvited } from "./invitations.ts";
import { creationsOf, type MemberCreations, switchOffResources } from "./member-resources.ts";
import { lockOrganization, searchPattern, withPlatformRows } from "./platform-rows.ts";

export const memberNotFound = () => notFound("Участник не найден", "member_not_found");

/** Lists the oldest first, page by page; invited people come before the first page. */
export async function listMembers(
  db: Database,
  acting: ActingUser,
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
    .limit(PAGE_SIZE);
  const owned = await twinsByOwner(db, acting);
  const invited = after === undefined ? await listInvitations(db, orgId, q) : [];
  return [...invited, ...rows.map(({ user, role, since }) => toMember(user, role, since, owned.get(user.id) ?? 0))];
}

async function twinsByOwner(db: Database, acting: ActingUser): Promise<Map<string, number>> {
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
 * Changes a role from the member's next request on, and switches off what a viewer may not have. For an invitation, sets the future role.
 * @throws Problem 404 for a stranger, 409 when the organisation would lose its last administrator
 */
export async function changeRole(db: Database, acting: ActingUser, id: string, role: Role): Promise<Member> {
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
      return { member, made: role === "viewer" && member.role !== "viewer" ? await creationsOf(tx, orgId, id) : null };
    });
    if (changed.invitation !== undefined) return toInvited(changed.invitation);
    if (changed.made !== null) await switchOffResources(tx, acting, id, changed.made);
    const [owned] = await tx
      .select({ twins: count() })
      .from(twins)
      .where(and(eq(twins.orgId, orgId), eq(twins.ownerId, id)));
    const { user, since } = changed.member;
    return toMember(user, role, since, owned!.twins);
  });
}

export interface LeavingMember {
  role: Role;
  /** The new owner of the twins: the acting administrator, else the oldest one. */
  heirId: string;
  made: MemberCreations;
}

/**
 * Returns null when the user is not a member. Other changes of members wait until this transaction ends; call it within `withPlatformRows`.
 * @throws Problem 409 for the last administrator
 */
export async function findLeavingMember(tx: Tx, acting: ActingUser, id: string): Promise<LeavingMember | null> {
  const { organizationId: orgId } = acting;
  await lockOrganization(tx, orgId);
  const [member] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, id)));
  if (member === undefined) return null;
  const administrators = await otherAdministrators(tx, orgId, id);
  const heirId = administrators.includes(acting.userId) ? acting.userId : administrators[0]!;
  return { role: member.role, heirId, made: await creationsOf(tx, orgId, id) };
}

/** @throws Problem 404 */
export async function revokeInvitation(tx: Tx, acting: ActingUser, id: string): Promise<void> {
  const [invitation] = await tx
    .delete(invitations)
    .where(and(eq(invitations.orgId, acting.organizationId), eq(invitations.id, id)))
    .returning();
  if (invitation === undefined) throw memberNotFound();
  await audit(tx, { action: "invitation-revoked", ...acting, subject: maskedEmail(invitation.email) });
}

/** Returns ids of the other administrators, the oldest first. @throws Problem 409 when there are none */
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
