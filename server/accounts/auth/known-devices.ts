/** Records the browsers and programs that have signed in to an account, so that its owner is notified only of new ones. */
import { createHash } from "node:crypto";
import { and, desc, eq, notInArray } from "drizzle-orm";
import type { FastifyReply, FastifyRequest } from "fastify";
import { tryKey } from "#server/accounts/credentials/login-limit.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { knownDevices, users } from "#server/platform/db/schema/accounts.ts";
import { isBrowser, type LesserCookie, lesserCookie } from "./caller.ts";
import { hashToken, newToken } from "./sessions.ts";

/** Lifetime of the cookie in days. Browsers keep none for longer. */
export const DEVICE_DAYS = 400;
const COOKIE: LesserCookie = { name: "device", seconds: DEVICE_DAYS * 24 * 3600 };
const MAX_DEVICES = 50;

/** Records a sign-in to the account from this browser or program. @returns true for the first time */
export async function recordDevice(
  db: Tx,
  userId: string,
  { request, reply, publicUrl }: { request: FastifyRequest; reply: FastifyReply; publicUrl: string },
): Promise<boolean> {
  const deviceHash = identify(request, reply, publicUrl);
  const known = await db
    .update(knownDevices)
    .set({ seenAt: new Date() })
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.deviceHash, deviceHash)))
    .returning({ userId: knownDevices.userId });
  if (known.length > 0) return false;
  await db.insert(knownDevices).values({ userId, deviceHash }).onConflictDoNothing();
  const newest = db
    .select({ deviceHash: knownDevices.deviceHash })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .orderBy(desc(knownDevices.seenAt))
    .limit(MAX_DEVICES);
  await db
    .delete(knownDevices)
    .where(and(eq(knownDevices.userId, userId), notInArray(knownDevices.deviceHash, newest)));
  return true;
}

/**
 * Whether the caller's browser has signed in to the account of this e-mail before; an unknown e-mail causes the same query. Guesses from
 * elsewhere do not lock out such a browser (login-limit.ts). They do lock out programs, whose name and network prove nothing.
 */
export async function isKnownDevice(db: Tx, email: string, request: FastifyRequest): Promise<boolean> {
  const cookie = lesserCookie.read(request, COOKIE);
  const deviceHash = cookie === null ? "" : hashToken(cookie);
  const rows = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .innerJoin(users, eq(users.id, knownDevices.userId))
    .where(and(eq(users.email, email), eq(knownDevices.deviceHash, deviceHash)));
  return rows.length > 0;
}

/** Call it after a password change, because a person who knew the old password may have signed in too. */
export async function forgetDevices(tx: Tx, userId: string): Promise<void> {
  await tx.delete(knownDevices).where(eq(knownDevices.userId, userId));
}

/** Identifies a browser by a lasting cookie, and a program, which keeps no cookies, by its name and network. */
function identify(request: FastifyRequest, reply: FastifyReply, publicUrl: string): string {
  if (!isBrowser(request)) {
    const agent = String(request.headers["user-agent"] ?? "").slice(0, 200);
    return createHash("sha256")
      .update(`${agent}\n${tryKey("", request.ip)}`)
      .digest("hex");
  }
  const cookie = lesserCookie.read(request, COOKIE) ?? newToken();
  lesserCookie.set(reply, publicUrl, COOKIE, cookie);
  return hashToken(cookie);
}
