/** Names of members for their colleagues. Users belong to a platform table, so these queries do not run in the tenant's role. */
import { and, eq, inArray, ne } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";
import { memberships, users } from "#server/platform/db/schema/accounts.ts";
import { notFound } from "#server/platform/errors.ts";

interface MemberName {
  id: string;
  name: string;
}

const columns = { id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email };

const named = (user: { id: string; firstName: string; lastName: string; email: string | null }): MemberName => ({
  id: user.id,
  name: `${user.firstName} ${user.lastName}`.trim() || user.email || "Без имени",
});

/** Returns names by id; unknown ids are missing. */
export async function namesOf(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select(columns)
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map((row) => [row.id, named(row).name]));
}

/** Lists the members to whom a conversation may be assigned: all except viewers, ordered by name. */
export async function listAssignees(db: Database, organizationId: string): Promise<MemberName[]> {
  const rows = await db
    .select(columns)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, organizationId), ne(memberships.role, "viewer")));
  return rows.map(named).sort((a, b) => a.name.localeCompare(b.name, "ru"));
}

/** @throws Problem 404 for an unknown member or a viewer */
export async function requireAssignee(db: Database, organizationId: string, userId: string): Promise<void> {
  const members = await listAssignees(db, organizationId);
  if (!members.some(({ id }) => id === userId)) {
    throw notFound("Этому участнику нельзя поручить диалог", "member_not_found");
  }
}
