/** Lists a person's own sessions and ends them remotely. */
import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { AccountSession } from "#contract/organizations/account.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { sessions } from "#server/platform/db/schema/accounts.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { forgetDeviceOfSession, forgetDevices } from "../push-devices.ts";
import { IDLE_MS } from "../sessions.ts";

const standing = (userId: string) =>
  and(
    eq(sessions.userId, userId),
    gt(sessions.expiresAt, new Date()),
    gt(sessions.lastSeenAt, new Date(Date.now() - IDLE_MS)),
  );

/**
 * Lists the latest used first.
 * @param device the device and address of the current request, shown for the caller's own session; null: what the session began with
 */
export async function listSessions(db: Tx, caller: Caller, device: string | null): Promise<AccountSession[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(standing(caller.userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
  return rows.map(({ id, device: begunOn, ip, createdAt, lastSeenAt }) => ({
    id,
    device: (id === caller.sessionId ? device : null) ?? begunOn,
    ip,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    current: id === caller.sessionId,
  }));
}

/** @throws Problem 404 when there is no such session of the caller's own */
export async function endOwnSession(db: Database, { userId }: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [own] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
      .for("update");
    if (own === undefined) throw notFound("Сеанс не найден или уже завершён", "session_not_found");
    await forgetDeviceOfSession(tx, id);
    await tx.delete(sessions).where(eq(sessions.id, id));
  });
}

/** @param current whether the caller's own session ends as well @returns the number of ended sessions */
export async function endOwnSessions(db: Database, { userId, sessionId }: Caller, current: boolean): Promise<number> {
  return db.transaction(async (tx) => {
    await forgetDevices(tx, userId, current ? undefined : sessionId);
    const gone = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), current ? undefined : ne(sessions.id, sessionId)))
      .returning({ id: sessions.id });
    return gone.length;
  });
}
