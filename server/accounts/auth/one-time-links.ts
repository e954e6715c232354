/** One-time links in letters: 256 random bits, stored as a hash, valid once and for a limited time. */
import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { oneTimeLinks } from "#server/platform/db/schema/accounts.ts";
import { invalid } from "#server/platform/errors.ts";
import { hashToken, newToken } from "./sessions.ts";

type LinkPurpose = (typeof oneTimeLinks.$inferSelect)["purpose"];

const HOUR = 60 * 60_000;
const LIFETIME_MS: Record<LinkPurpose, number> = {
  "reset-password": HOUR,
  "confirm-email": 24 * HOUR,
};

/** Creates a link and returns its token; earlier unused links of that purpose become invalid. */
export async function createLink(tx: Tx, userId: string, purpose: LinkPurpose): Promise<string> {
  const token = newToken();
  await endLinks(tx, userId, purpose);
  await tx.insert(oneTimeLinks).values({
    userId,
    purpose,
    tokenHash: hashToken(token),
    expiresAt: new Date(Date.now() + LIFETIME_MS[purpose]),
  });
  return token;
}

/** Returns the milliseconds until the newest unused link is `pauseMs` old; 0 when it is, or when there is none. */
export async function pauseAfterLink(tx: Tx, userId: string, purpose: LinkPurpose, pauseMs: number): Promise<number> {
  const [link] = await tx
    .select({ createdAt: oneTimeLinks.createdAt })
    .from(oneTimeLinks)
    .where(unused(userId, purpose))
    .orderBy(desc(oneTimeLinks.createdAt))
    .limit(1);
  return link === undefined ? 0 : Math.max(0, link.createdAt.getTime() + pauseMs - Date.now());
}

export async function endLinks(tx: Tx, userId: string, purpose: LinkPurpose): Promise<void> {
  await tx.delete(oneTimeLinks).where(unused(userId, purpose));
}

/**
 * Uses up the link and returns its user's id; of two simultaneous uses only one succeeds.
 * @throws Problem 400 when the link is unknown, used, expired or of another purpose
 */
export async function takeLink(tx: Tx, purpose: LinkPurpose, token: string): Promise<string> {
  const now = new Date();
  const [link] = await tx
    .update(oneTimeLinks)
    .set({ usedAt: now })
    .where(
      and(
        eq(oneTimeLinks.tokenHash, hashToken(token)),
        eq(oneTimeLinks.purpose, purpose),
        isNull(oneTimeLinks.usedAt),
        gt(oneTimeLinks.expiresAt, now),
      ),
    )
    .returning({ userId: oneTimeLinks.userId });
  if (link === undefined) throw invalid("link_invalid", "Ссылка недействительна или устарела");
  return link.userId;
}

const unused = (userId: string, purpose: LinkPurpose) =>
  and(eq(oneTimeLinks.userId, userId), eq(oneTimeLinks.purpose, purpose), isNull(oneTimeLinks.usedAt));
