import { eq, sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { memberships, users } from "#server/db/schema.ts";
import { createAccount } from "./accounts.ts";

/** The Telegram id of the specification's fake messenger login. */
export const DEMO_TELEGRAM_ID = "123456789";

/** The demo user, administrator of organisation «Демо»; made when missing. Any number of calls at once make one. */
export async function ensureDemoUser(db: Database): Promise<{ userId: string; organizationId: string }> {
  return (
    (await findDemoUser(db)) ??
    db.transaction(async (tx) => {
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
      if (account !== null) return { userId: account.user.id, organizationId: account.membership.organizationId };
      return (await findDemoUser(tx))!;
    })
  );
}

async function findDemoUser(db: Pick<Database, "select">) {
  const [row] = await db
    .select({ userId: users.id, organizationId: memberships.orgId })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(eq(users.telegramId, DEMO_TELEGRAM_ID));
  return row;
}
