/**
 * Who is signed in. A token is 256 random bits and opaque; the database keeps its SHA-256 only. A browser's session is
 * bound: it needs the bearer token and the cookie born with it, so neither a stolen token nor a forged request is enough.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, gt, lt, ne, or, sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { named } from "#server/db/named-statement.ts";
import { memberships, sessions, signInChallenges, users } from "#server/db/schema.ts";
import type { Viewer } from "#server/http.ts";

const MINUTE = 60_000;
export const IDLE_MS = 24 * 60 * MINUTE;
export const ABSOLUTE_MS = 30 * 24 * 60 * MINUTE;
/** `lastSeenAt` is this coarse, so that reading does not mean writing. */
const SEEN_STEP_MS = MINUTE;

/** A viewer's `sessionId` where there is no row of `sessions`: demo mode's fixed token. */
export const NO_SESSION = "00000000-0000-0000-0000-000000000000";

/** 256 random bits, base64url (43 characters): nothing in it means anything in an address or has to be encoded there. */
export const newToken = (): string => randomBytes(32).toString("base64url");
/** SHA-256, hex. Enough for values of 256 random bits; passwords need argon2 (passwords.ts). */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** `cookie` is null for an unbound session (a client that is no browser). */
export interface NewSession {
  token: string;
  cookie: string | null;
}

/** Signs `userId` in to one organisation of theirs. The two values exist nowhere else: hand them out at once. */
export async function createSession(
  db: Tx,
  session: { userId: string; organizationId: string; bound: boolean; device?: string; ip?: string },
): Promise<NewSession> {
  const token = newToken();
  const cookie = session.bound ? newToken() : null;
  const now = Date.now();
  await db
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, session.userId),
        or(lt(sessions.expiresAt, new Date(now)), lt(sessions.lastSeenAt, new Date(now - IDLE_MS))),
      ),
    );
  await db.insert(sessions).values({
    tokenHash: hashToken(token),
    cookieHash: cookie === null ? null : hashToken(cookie),
    userId: session.userId,
    orgId: session.organizationId,
    expiresAt: new Date(now + ABSOLUTE_MS),
    lastSeenAt: new Date(now),
    freshAt: new Date(now),
    device: session.device ?? null,
    ip: session.ip ?? null,
  });
  return { token, cookie };
}

/**
 * Whether the row of `users` that the statement calls `name` is somebody whose address is known to be theirs: by a link to the mailbox,
 * or by Telegram's signature. Nobody else is the platform's administrator, whatever the row says.
 */
const isConfirmed = (name: "u" | "users") => {
  const column = (field: string) => sql.raw(`${name}.${field}`);
  return sql<boolean>`(${column("email_confirmed_at")} is not null or ${column("auth_method")} = 'telegram')`;
};

const sessionByToken = named<
  { tokenHash: string; now: Date; seenAfter: Date },
  Viewer & { cookieHash: string | null; lastSeenAt: Date }
>(
  "session",
  sql`select s.id as "sessionId", s.cookie_hash as "cookieHash", s.last_seen_at as "lastSeenAt", s.user_id as "userId",
      s.org_id as "organizationId", m.role, u.super_admin and ${isConfirmed("u")} as "superAdmin", ${isConfirmed("u")} as confirmed
    from sessions s join users u on u.id = s.user_id join memberships m on m.user_id = s.user_id and m.org_id = s.org_id
    where s.token_hash = ${sql.placeholder("tokenHash")} and s.expires_at > ${sql.placeholder("now")}
      and s.last_seen_at > ${sql.placeholder("seenAfter")}`,
);

/**
 * The caller that presents these values; null when the session is unknown, over, misses its other half, or its user is
 * no longer a member. The role is read each time, so a change acts on the next request.
 */
export async function findViewer(
  db: Tx,
  given: { token: string | null; cookie: string | null },
): Promise<Viewer | null> {
  if (given.token === null || given.token === "") return null;
  const now = Date.now();
  const [row] = await sessionByToken(db, {
    tokenHash: hashToken(given.token),
    now: new Date(now),
    seenAfter: new Date(now - IDLE_MS),
  });
  if (row === undefined) return null;
  if (row.cookieHash !== null && (given.cookie === null || !sameHash(row.cookieHash, hashToken(given.cookie)))) {
    return null;
  }
  if (now - row.lastSeenAt.getTime() > SEEN_STEP_MS) {
    await db
      .update(sessions)
      .set({ lastSeenAt: new Date(now) })
      .where(eq(sessions.id, row.sessionId));
  }
  const { sessionId, userId, organizationId, role, superAdmin, confirmed } = row;
  return { userId, organizationId, role, superAdmin, confirmed, sessionId };
}

/** A member who acts without a session, with the rights of this moment; null for nobody's member. */
export async function findMember(
  db: Tx,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<Viewer | null> {
  const [row] = await db
    .select({ role: memberships.role, confirmed: isConfirmed("users") })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.userId, userId), eq(memberships.orgId, organizationId)));
  return row === undefined ? null : { userId, organizationId, ...row, superAdmin: false, sessionId: NO_SESSION };
}

/** Whether the session that `viewer` came by still stands, with the rights that were read then. */
export async function sessionHolds(db: Tx, viewer: Viewer): Promise<boolean> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(memberships, and(eq(memberships.userId, sessions.userId), eq(memberships.orgId, sessions.orgId)))
    .where(
      and(
        eq(sessions.id, viewer.sessionId),
        gt(sessions.expiresAt, new Date()),
        eq(memberships.role, viewer.role),
        sql`(${users.superAdmin} and ${isConfirmed("users")}) = ${viewer.superAdmin}`,
      ),
    );
  return row !== undefined;
}

/** Ends one session; an unknown one is ended already. */
export async function endSession(db: Tx, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Ends a user's sessions everywhere (password change, removal), and what is about to become one, but `exceptSessionId` when given. */
export async function endAllSessions(db: Tx, userId: string, exceptSessionId?: string): Promise<void> {
  await db.delete(signInChallenges).where(eq(signInChallenges.userId, userId));
  await db
    .delete(sessions)
    .where(
      and(eq(sessions.userId, userId), exceptSessionId === undefined ? undefined : ne(sessions.id, exceptSessionId)),
    );
}

function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
