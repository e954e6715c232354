/**
 * Tells an account's owner what was done to it: on the screen always, by letter to a confirmed address. These letters have a
 * count of their own, by account and kind: only what has succeeded in the account makes one, so no stranger can use the count up,
 * and a flood of one kind never holds another kind back.
 */
import { and, count, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { SecurityNotice } from "#contract/account.ts";
import type { Config } from "#server/config.ts";
import type { Tx } from "#server/db/database.ts";
import { memberships, securityNotices, users } from "#server/db/schema.ts";
import type { Log } from "#server/log.ts";
import { afterAnswers } from "../after-answer.ts";
import type { Mailer } from "../mail.ts";
import { isNoticeKind, type Notice, noticeLetter, noticeSentence } from "./sentences.ts";

const HOUR_MS = 3_600_000;
const LETTERS_PER_HOUR = 5;
/** Of one kind; a flood is not kept whole. */
const NOTICES_PER_HOUR = 20;
export const NOTICES_KEPT_MS = 180 * 24 * HOUR_MS;
const SHOWN = 50;

export interface NoticeDeps {
  config: Pick<Config, "publicUrl">;
  log: Log;
  mailer: Mailer;
}

/** Keeps the notice within the caller's transaction; the letter, if one is due, leaves after the answer. */
export type Tell = (db: Tx, userId: string, notice: Notice) => Promise<void>;

/** @param deps read when a letter leaves, not before */
export function noticeTeller(app: FastifyInstance, deps: NoticeDeps): Tell {
  const afterAnswer = afterAnswers(app, deps.log);
  return async (db, userId, notice) => {
    const to = await keepNotice(db, userId, notice);
    if (to === null) return;
    const { subject, text } = noticeLetter(notice, deps.config.publicUrl, new Date());
    afterAnswer("security notice", () => deps.mailer.send({ to, subject, text }));
  };
}

/** For what happens without a request: the letter leaves at once, and a mail server that fails is logged. */
export async function tellFromJob(deps: NoticeDeps & { db: Tx }, userId: string, notice: Notice): Promise<void> {
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
  // An address that nobody has confirmed may be a stranger's.
  const to = user.confirmedAt !== null && lately!.mailed < LETTERS_PER_HOUR ? user.email : null;
  await db.insert(securityNotices).values({ userId, kind, detail, mailed: to !== null });
  return to;
}

/** Tells the administrators of an organisation, but not `exceptUserId`. */
export async function tellAdministrators(
  tell: Tell,
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

/** Newest first. */
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
