/**
 * Notifies an account's owner of what was done to the account: always on the screen, and by letter to a confirmed address. Letters are
 * counted by account and kind. Only successful actions within the account cause them, so a stranger cannot exhaust the count, and one kind
 * does not block another.
 */
import { and, count, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { SecurityNotice } from "#contract/organizations/account.ts";
import type { Config } from "#server/platform/config.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { memberships, securityNotices, users } from "#server/platform/db/schema/accounts.ts";
import type { Log } from "#server/platform/log.ts";
import { afterResponses } from "./after-response.ts";
import type { Mailer } from "./mail.ts";
import { isNoticeKind, type Notice, noticeLetter, noticeSentence } from "./sentences.ts";

const HOUR_MS = 3_600_000;
const LETTERS_PER_HOUR = 5;
/** Maximum stored notices of one kind and account per hour; further ones are dropped. */
const NOTICES_PER_HOUR = 20;
export const NOTICES_KEPT_MS = 180 * 24 * HOUR_MS;
const SHOWN = 50;

export interface NoticeDeps {
  config: Pick<Config, "publicUrl">;
  log: Log;
  mailer: Mailer;
}

/** Stores the notice in the caller's transaction; a letter, if one is due, is sent after the response. */
export type SendNotice = (db: Tx, userId: string, notice: Notice) => Promise<void>;

/** @param deps read only when a letter is sent */
export function createNoticeSender(app: FastifyInstance, deps: NoticeDeps): SendNotice {
  const afterAnswer = afterResponses(app, deps.log);
  return async (db, userId, notice) => {
    const to = await keepNotice(db, userId, notice);
    if (to === null) return;
    const { subject, text } = noticeLetter(notice, deps.config.publicUrl, new Date());
    afterAnswer("security notice", () => deps.mailer.send({ to, subject, text }));
  };
}

/** Sends notices of events without a request: the letter goes out at once, and a failure of the mail server is logged. */
export async function sendNoticeFromJob(deps: NoticeDeps & { db: Tx }, userId: string, notice: Notice): Promise<void> {
  const to = await keepNotice(deps.db, userId, notice);
  if (to === null) return;
  const { subject, text } = noticeLetter(notice, deps.config.publicUrl, new Date());
  await deps.mailer.send({ to, subject, text }).catch((error: unknown) => {
    deps.log.error({ err: error }, "a notice's letter could not be sent");
  });
}

/** @returns the address that a letter is due to, or null */
async function keepNotice(db: Tx, userId: string, { kind, detail = {} }: Notice): Promise<string | null> {
  const [user] = await db
    .select({ email: users.email, confirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.id, userId));
  if (user === undefined) return null;
  const [lately] = await db
    .select({ all: count(), mailed: sql<number>`(count(*) filter (where ${securityNotices.mailed}))::int` })
    .from(securityNotices)
    .where(
      and(
        eq(securityNotices.userId, userId),
        eq(securityNotices.kind, kind),
        gt(securityNotices.createdAt, new Date(Date.now() - HOUR_MS)),
      ),
    );
  if (lately!.all >= NOTICES_PER_HOUR) return null;
  // Nothing is mailed to an unconfirmed address, which may belong to a stranger.
  const to = user.confirmedAt !== null && lately!.mailed < LETTERS_PER_HOUR ? user.email : null;
  await db.insert(securityNotices).values({ userId, kind, detail, mailed: to !== null });
  return to;
}

export async function notifyAdministrators(
  tell: SendNotice,
  db: Tx,
  organizationId: string,
  exceptUserId: string,
  notice: Notice,
): Promise<void> {
  const admins = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.orgId, organizationId), eq(memberships.role, "org_admin")));
  for (const { userId } of admins) if (userId !== exceptUserId) await tell(db, userId, notice);
}

/** Returns the newest first. */
export async function listNotices(db: Tx, userId: string): Promise<SecurityNotice[]> {
  const rows = await db
    .select()
    .from(securityNotices)
    .where(eq(securityNotices.userId, userId))
    .orderBy(desc(securityNotices.createdAt), desc(securityNotices.id))
    .limit(SHOWN);
  return rows.flatMap(({ id, kind, detail, createdAt, seenAt }) =>
    isNoticeKind(kind)
      ? [{ id, kind, text: noticeSentence({ kind, detail }), at: createdAt.toISOString(), seen: seenAt !== null }]
      : [],
  );
}

export async function markNoticesSeen(db: Tx, userId: string): Promise<void> {
  await db
    .update(securityNotices)
    .set({ seenAt: new Date() })
    .where(and(eq(securityNotices.userId, userId), isNull(securityNotices.seenAt)));
}
