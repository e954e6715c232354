import { asc, eq, sql } from "drizzle-orm";
import type { Role } from "#contract/organizations/auth.ts";
import type { Database } from "#server/platform/db/database.ts";
import { memberships, users } from "#server/platform/db/schema/accounts.ts";
import { createAccount, membershipOf } from "./accounts.ts";
import { DEMO_TELEGRAM_ID } from "./demo-telegram-id.ts";

interface DemoUser {
  userId: string;
  organizationId: string;
  role: Role;
}

/** Returns the demo user, administrator of organisation «Демо», creating it once if it is missing, even for simultaneous calls. */
export async function ensureDemoUser(db: Database): Promise<DemoUser> {
  return (
    (await findDemoUser(db)) ??
    (await db.transaction(async (tx): Promise<DemoUser | null> => {
      await tx.execute(sql`select pg_advisory_xact_lock(727460002)`);
      const account = await createAccount(
        tx,
        {
          telegramId: DEMO_TELEGRAM_ID,
          authMethod: "telegram",
          firstName: "Test",
          lastName: "User",
          telegramUsername: "testuser",
        },
        "Демо",
      );
      return account === null ? await findDemoUser(tx) : { userId: account.user.id, ...account.membership };
    })) ??
    (await withoutOrganization(db))
  );
}

async function findDemoUser(db: Pick<Database, "select">): Promise<DemoUser | null> {
  const [row] = await db
    .select({ userId: users.id, organizationId: memberships.orgId, role: memberships.role })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(eq(users.telegramId, DEMO_TELEGRAM_ID))
    .orderBy(asc(memberships.createdAt), asc(memberships.orgId))
    .limit(1);
  return row ?? null;
}

/** A demo user who was removed from «Демо» gets a personal organisation, like any other user. */
async function withoutOrganization(db: Database): Promise<DemoUser> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.telegramId, DEMO_TELEGRAM_ID));
  return { userId: user!.id, ...(await membershipOf(db, user!.id)) };
}
