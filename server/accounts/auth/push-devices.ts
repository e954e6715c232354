/** Push messages stop when the session that enabled them is ended explicitly, but not when it merely expires. */
import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { pushDevices } from "#server/platform/db/schema/accounts.ts";

export async function forgetDeviceOfSession(db: Tx, sessionId: string): Promise<void> {
  await db.delete(pushDevices).where(eq(pushDevices.sessionId, sessionId));
}

/** Removes the push subscriptions of a user's browsers, including those of expired sessions, except that of `exceptSessionId`. */
export async function forgetDevices(db: Tx, userId: string, exceptSessionId?: string): Promise<void> {
  const other =
    exceptSessionId === undefined ? undefined : sql`${pushDevices.sessionId} is distinct from ${exceptSessionId}`;
  await db.delete(pushDevices).where(and(eq(pushDevices.userId, userId), other));
}
