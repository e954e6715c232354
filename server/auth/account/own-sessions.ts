/** A person's own sessions: the list of them, and ending them from a distance. */
import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { AccountSession } from "#contract/organizations/account.ts";
import type { Tx } from "#server/db/database.ts";
import { sessions } from "#server/db/schema.ts";
import { notFound } from "#server/errors.ts";
import type { Caller } from "#server/http/route.ts";
import { IDLE_MS } from "../sessions.ts";

const standing = (userId: string) =>
  and(
    eq(sessions.userId, userId),
    gt(sessions.expiresAt, new Date()),
    gt(sessions.lastSeenAt, new Date(Date.now() - IDLE_MS)),
  );

/** Ordered by last use, the latest first. */
export async function listSessions(db: Tx, caller: Caller): Promise<AccountSession[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(standing(caller.userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
  return rows.map(({ id, device, ip, createdAt, lastSeenAt }) => ({
    id,
    device,
    ip,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    current: id === caller.sessionId,
  }));
}

/** @throws Problem 404 when there is no such session of the caller's own */
export async function endOwnSession(db: Tx, { userId }: Caller, id: string): Promise<void> {
  const gone = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  if (gone.length === 0) throw notFound("Сеанс не найден или уже завершён", "session_not_found");
}

/** @param current whether the caller's own session ends too @returns the number of ended sessions */
export async function endOwnSessions(db: Tx, { userId, sessionId }: Caller, current: boolean): Promise<number> {
  const gone = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), current ? undefined : ne(sessions.id, sessionId)))
    .returning({ id: sessions.id });
  return gone.length;
}
