/** Creates accounts: a user, an organisation of their own and its administrator's membership. */
import { and, asc, eq, sql } from "drizzle-orm";
import type { Role } from "#contract/organizations/auth.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { memberships, organizations, users } from "#server/platform/db/schema/accounts.ts";
import { audit } from "./audit.ts";
import type { TelegramIdentity } from "./telegram/telegram-login.ts";
import type { UserRow } from "./user-json.ts";

export interface Membership {
  organizationId: string;
  role: Role;
}

type NewUser = typeof users.$inferInsert;

/** Returns null when another account already has this e-mail or Telegram id. */
export async function createAccount(
  tx: Tx,
  values: NewUser,
  organizationName = `${values.firstName ?? ""} ${values.lastName ?? ""}`.trim() || "Личное пространство",
): Promise<{ user: UserRow; membership: Membership } | null> {
  const [user] = await tx.insert(users).values(values).onConflictDoNothing().returning();
  if (user === undefined) return null;
  return { user, membership: await foundOrganization(tx, user.id, organizationName) };
}

async function foundOrganization(tx: Tx, userId: string, name: string): Promise<Membership> {
  const [organization] = await tx.insert(organizations).values({ name }).returning({ id: organizations.id });
  await tx.insert(memberships).values({ orgId: organization!.id, userId, role: "org_admin" });
  return { organizationId: organization!.id, role: "org_admin" };
}

/**
 * Returns the membership that a sign-in opens: the user's oldest one, or a new personal organisation when the user has no membership left.
 */
export async function membershipOf(db: Database, userId: string): Promise<Membership> {
  return (
    (await oldestMembership(db, userId)) ??
    db.transaction(async (tx) => {
      // The lock prevents two simultaneous sign-ins from creating two organisations.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 1))`);
      return (await oldestMembership(tx, userId)) ?? foundOrganization(tx, userId, "Личное пространство");
    })
  );
}

async function oldestMembership(db: Tx, userId: string): Promise<Membership | undefined> {
  const [row] = await db
    .select({ organizationId: memberships.orgId, role: memberships.role })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.createdAt), asc(memberships.orgId))
    .limit(1);
  return row;
}

export async function findUserByEmail(db: Tx, email: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  return user ?? null;
}

/** Returns the user with their role in the session's organisation; null when the user or the membership no longer exists. */
export async function findMember(
  db: Tx,
  userId: string,
  organizationId: string,
): Promise<{ user: UserRow; membership: Membership } | null> {
  const [row] = await db
    .select({ user: users, role: memberships.role })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.orgId, organizationId)))
    .where(eq(users.id, userId));
  return row === undefined ? null : { user: row.user, membership: { organizationId, role: row.role } };
}

/** Returns the account with this Telegram id, which the first sign-in creates. Its name and picture are updated from Telegram. */
export async function telegramAccount(db: Database, identity: TelegramIdentity): Promise<UserRow> {
  const { telegramId, firstName, lastName, username, photoUrl } = identity;
  const values = { firstName, lastName, telegramUsername: username, photoUrl };
  const update = () => db.update(users).set(values).where(eq(users.telegramId, telegramId)).returning();
  const [known] = await update();
  if (known !== undefined) return known;
  const created = await db.transaction(async (tx) => {
    const account = await createAccount(tx, { ...values, telegramId, authMethod: "telegram" });
    if (account === null) return null;
    const { user, membership } = account;
    await audit(tx, {
      action: "registration",
      userId: user.id,
      organizationId: membership.organizationId,
      detail: { method: "telegram" },
    });
    return user;
  });
  if (created !== null) return created;
  // Another first sign-in of the same person has just created the account.
  const [other] = await update();
  return other!;
}

/** Returns the person's name as contacts know it; "" when there is no name or the account is deleted. */
export async function fullNameOf(db: Tx, userId: string): Promise<string> {
  const [user] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, userId));
  return user === undefined ? "" : `${user.firstName} ${user.lastName}`.trim();
}
