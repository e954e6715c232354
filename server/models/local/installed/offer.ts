/** Offers a model on the dashboard, once to each administrator of the installation. */
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";

export async function isOfferDismissed(db: Database, userId: string): Promise<boolean> {
  const passed = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.modelOfferPassedAt)));
  return passed.length > 0;
}

export async function dismissOffer(db: Database, userId: string): Promise<void> {
  await db
    .update(users)
    .set({ modelOfferPassedAt: new Date() })
    .where(and(eq(users.id, userId), isNull(users.modelOfferPassedAt)));
}
