/**
 * Sessions. A token is 256 opaque random bits; the database stores only its SHA-256. A browser's session requires both the bearer token and
 * the cookie that was created with it. So neither a stolen token nor a forged request is enough.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, gt, lt, ne, or, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { namedStatement } from "#server/platform/db/named-statement.ts";
import { memberships, sessions, signInChallenges, users } from "#server/platform/db/schema/accounts.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { forgetDeviceOfSession, forgetDevices } from "./push-devices.ts";
import { administrationOf } from "./super-admin.ts";

const MINUTE = 60_000;
export const IDLE_MS = 24 * 60 * MINUTE;
export const ABSOLUTE_MS = 30 * 24 * 60 * MINUTE;
/** `lastSeenAt` is updated at most this often, so that read requests rarely write to the database. */
const SEEN_STEP_MS = MINUTE;

/** The caller's `sessionId` when `sessions` has no row: for demo mode's fixed token. */
export const NO_SESSION = "00000000-0000-0000-0000-000000000000";

/** 256 random bits as base64url (43 characters), which needs no encoding in a URL. */
export const newToken = (): string => randomBytes(32).toString("base64url");
/** Returns SHA-256 as hex. It suffices for 256 random bits; passwords need argon2 (passwords.ts). */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** `cookie` is null for the unbound session of a client that is not a browser. */
interface NewSession {
  token: string;
  cookie: string | null;
}

/**
 * Creates a session of `userId` in one of their organisations. Token and cookie are not stored in plain form: the caller must send them at
 * once.
 */
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
    identityConfirmedAt: new Date(now),
    device: session.device ?? null,
    ip: session.ip ?? null,
  });
  return { token, cookie };
}

const sessionByToken = namedStatement<
  { tokenHash: string; now: Date; seenAfter: Date },
  Caller & { cookieHash: string | null; lastSeenAt: Date }
>(
  "session",
  sql`select s.id as "sessionId", s.cookie_hash as "cookieHash", s.last_seen_at as "lastSeenAt", s.user_id as "userId",
      s.org_id as "organizationId", m.role, ${administrationOf("u").superAdmin} as "superAdmin", ${administrationOf("u").confirmed} as confirmed
    from sessions s join users u on u.id = s.user_id join memberships m on m.user_id = s.user_id and m.org_id = s.org_id
    where s.token_hash = ${sql.placeholder("tokenHash")} and s.expires_at > ${sql.placeholder("now")}
      and s.last_seen_at > ${sql.placeholder("seenAfter")}`,
);

/**
 * Returns the caller with these values; null when the session is unknown, expired or misses its cookie, or its user is no longer a member.
 * The role is read at each call, so a changed role applies from the next request.
 */
export async function findCaller(
  db: Tx,
  given: { token: string | null; cookie: string | null },
): Promise<Caller | null> {
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

/** Returns a member who acts without a session, with their present rights; null for a user who is not a member. */
export async function findMember(
  db: Tx,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<Caller | null> {
  const [row] = await db
    .select({ role: memberships.role, confirmed: administrationOf("users").confirmed })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.userId, userId), eq(memberships.orgId, organizationId)));
  return row === undefined ? null : { userId, organizationId, ...row, superAdmin: false, sessionId: NO_SESSION };
}

/** Whether the caller's session still exists and grants the same rights as when `caller` was read. */
export async function sessionHolds(db: Tx, caller: Caller): Promise<boolean> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(memberships, and(eq(memberships.userId, sessions.userId), eq(memberships.orgId, sessions.orgId)))
    .where(
      and(
        eq(sessions.id, caller.sessionId),
        gt(sessions.expiresAt, new Date()),
        eq(memberships.role, caller.role),
        sql`${administrationOf("users").superAdmin} = ${caller.superAdmin}`,
      ),
    );
  return row !== undefined;
}

/** Ends one session and the push messages to its browser; does nothing for an unknown one. */
export async function endSession(db: Tx, sessionId: string): Promise<void> {
  await forgetDeviceOfSession(db, sessionId);
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

/**
 * Ends a user's sessions everywhere (after a password change or a removal), the push messages to their browsers and unfinished sign-ins,
 * except `exceptSessionId`.
 */
export async function endAllSessions(db: Tx, userId: string, exceptSessionId?: string): Promise<void> {
  await forgetDevices(db, userId, exceptSessionId);
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
