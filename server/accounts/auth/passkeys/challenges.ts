/**
 * Challenges are steps of a sign-in or confirmation that wait for an answer. An answer is accepted once, within five minutes, and only from
 * where the step began: the browser's cookie, the program's network or the session.
 */
import { createHash } from "node:crypto";
import { and, eq, gt, lt } from "drizzle-orm";
import type { FastifyReply, FastifyRequest } from "fastify";
import { tryKey } from "#server/accounts/credentials/login-limit.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { signInChallenges } from "#server/platform/db/schema/accounts.ts";
import { isBrowser, type LesserCookie, lesserCookie } from "../caller.ts";
import { hashToken, newToken } from "../sessions.ts";

export const CHALLENGE_MS = 5 * 60_000;
const COOKIE: LesserCookie = { name: "sign-in", seconds: CHALLENGE_MS / 1000 };

export type ChallengePurpose = (typeof signInChallenges.$inferSelect)["purpose"];
type ChallengeRow = typeof signInChallenges.$inferSelect;

/** Returns the value that a challenge is bound to before sign-in, and sets the cookie of a browser. */
export function bindVisitor(request: FastifyRequest, reply: FastifyReply, publicUrl: string): string {
  if (!isBrowser(request)) return networkOf(request);
  const cookie = lesserCookie.read(request, COOKIE) ?? newToken();
  lesserCookie.set(reply, publicUrl, COOKIE, cookie);
  return cookie;
}

/** Returns the binding of the request that brings the answer; null when the cookie is missing. */
export const visitorBinding = (request: FastifyRequest): string | null =>
  isBrowser(request) ? lesserCookie.read(request, COOKIE) : networkOf(request);

const networkOf = (request: FastifyRequest): string => `network ${tryKey("", request.ip)}`;

/** Bindings of challenge and answer are compared by this hash, which is all that the database stores. */
const boundHash = (bound: string): string => createHash("sha256").update(bound).digest("hex");

/** @param token the value that the client sends back; stored only as a hash */
export async function openChallenge(
  db: Tx,
  token: string,
  values: { purpose: ChallengePurpose; bound: string; userId?: string; method?: string },
): Promise<void> {
  const { purpose, bound, userId, method } = values;
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, new Date()));
  await db.insert(signInChallenges).values({
    purpose,
    tokenHash: hashToken(token),
    boundHash: boundHash(bound),
    userId: userId ?? null,
    method: method ?? null,
    expiresAt: new Date(Date.now() + CHALLENGE_MS),
  });
}

const holding = (purpose: ChallengePurpose, token: string, bound: string) =>
  and(
    eq(signInChallenges.purpose, purpose),
    eq(signInChallenges.tokenHash, hashToken(token)),
    eq(signInChallenges.boundHash, boundHash(bound)),
    gt(signInChallenges.expiresAt, new Date()),
  );

/** Returns the open challenge; null when it is unknown, expired, of another purpose or bound to another client. */
export async function findChallenge(
  db: Tx,
  purpose: ChallengePurpose,
  token: string,
  bound: string | null,
): Promise<ChallengeRow | null> {
  if (bound === null) return null;
  const [row] = await db
    .select()
    .from(signInChallenges)
    .where(holding(purpose, token, bound));
  return row ?? null;
}

/** Uses up the challenge; of two simultaneous answers one succeeds and the other gets null. */
export async function takeChallenge(
  db: Tx,
  purpose: ChallengePurpose,
  token: string,
  bound: string | null,
): Promise<ChallengeRow | null> {
  if (bound === null) return null;
  const [row] = await db
    .delete(signInChallenges)
    .where(holding(purpose, token, bound))
    .returning();
  return row ?? null;
}
