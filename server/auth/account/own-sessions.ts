/** A person's own sessions: where he is signed in, and the way out from a distance. */
import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { AccountSession } from "#contract/account.ts";
import type { Tx } from "#server/db/database.ts";
import { sessions } from "#server/db/schema.ts";
import { notFound } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { IDLE_MS } from "../sessions.ts";

const standing = (userId: string) =>
  and(
    eq(sessions.userId, userId),
    gt(sessions.expiresAt, new Date()),
    gt(sessions.lastSeenAt, new Date(Date.now() - IDLE_MS)),
  );

/** The last seen first. */
export async function listSessions(db: Tx, viewer: Viewer): Promise<AccountSession[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(standing(viewer.userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
  return rows.map(({ id, device, ip, createdAt, lastSeenAt }) => ({
    id,
    device,
    ip,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    current: id === viewer.sessionId,
  }));
}

/** @throws Problem 404 for nobody's or another's */
export async function endOwnSession(db: Tx, { userId }: Viewer, id: string): Promise<void> {
  const gone = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  if (gone.length === 0) throw notFound("Сеанс не найден или уже завершён", "session_not_found");
}

/** @param current whether the caller's own ends too @returns how many have ended */
export async function endOwnSessions(db: Tx, { userId, sessionId }: Viewer, current: boolean): Promise<number> {
  const gone = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), current ? undefined : ne(sessions.id, sessionId)))
    .returning({ id: sessions.id });
  return gone.length;
}
