import { and, asc, eq, gt, isNotNull, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import { WAITING_SHOWN, type Waiting } from "#contract/analytics.ts";
import { loadWaitingActs } from "#server/inbox/actions/acts.ts";
import { isUndecided } from "#server/inbox/approvals/approvals.ts";
import { connectionOf, isTelegramBot, troubleOf } from "#server/inbox/integrations/integrations.ts";
import { countAskersByAnswer } from "#server/inbox/unanswered/askers-by-answer.ts";
import { hasNoAnswer } from "#server/inbox/unanswered/unanswered.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { isReadable } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { answersOfSharedGaps, openGaps } from "./waiting-gaps.ts";

/** Maximum characters of a message on the dashboard. */
const EXCERPT = 200;

const NOTHING: Waiting = {
  answers: { total: 0, first: [] },
  acts: { total: 0, first: [] },
  gaps: { total: 0, first: [] },
  unread: { total: 0, first: [] },
  channels: { total: 0, first: [] },
};

/** Loads the items that need the caller's action: for a viewer none, for a user those of his own twins. */
export function loadWaitingItems(db: Database, caller: Caller): Promise<Waiting> {
  if (caller.role === "viewer") return Promise.resolve(NOTHING);
  const changeable = and(
    eq(twins.orgId, caller.organizationId),
    caller.role === "user" ? eq(twins.ownerId, caller.userId) : undefined,
  );
  return asTenant(db, caller, async (tx) => ({
    answers: await undecidedAnswers(tx, caller, changeable),
    acts: await openActs(tx, caller),
    gaps: await openGaps(tx, caller),
    unread: await unreadTakenOver(tx, changeable),
    channels: await cutOffChannels(tx, changeable),
  }));
}

const total = sql<number>`(count(*) over ())::int`;

/** Excludes answers to questions that several people asked: the gap waits instead, and one answer serves all of them. */
async function undecidedAnswers(tx: Tx, caller: Caller, changeable: SQL | undefined): Promise<Waiting["answers"]> {
  const shared = await answersOfSharedGaps(tx, caller);
  const rows = await tx
    .select({
      id: outbox.id,
      conversationId: outbox.conversationId,
      state: outbox.state,
      contactName: conversations.participantName,
      platform: integrations.platform,
      twinName: twins.name,
      question: sql<string>`left(${outbox.question}, ${EXCERPT})`,
      // The text is complete, because it is sent from here and a member must not send what he has not read.
      text: outbox.text,
      mayTeach: sql<boolean>`${outbox.state} = 'draft' and ${outbox.text} = '' and ${twins.ownerId} = ${caller.userId}
        and coalesce(${hasNoAnswer(outbox.citations)}, false)`,
      since: outbox.createdAt,
      total,
    })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(integrations, eq(integrations.id, outbox.integrationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(
      and(
        isUndecided,
        changeable,
        // Only the owner can decide on proposals from his messages.
        isReadable(caller, outbox.secrecy, twins.ownerId),
        shared.length > 0 ? notInArray(outbox.id, shared) : undefined,
      ),
    )
    .orderBy(asc(outbox.createdAt), asc(outbox.id))
    .limit(WAITING_SHOWN);
  const people = await countAskersByAnswer(
    tx,
    rows.filter(({ mayTeach }) => mayTeach).map(({ id }) => id),
  );
  return {
    total: rows[0]?.total ?? 0,
    first: rows.map(({ total, state, since, ...row }) => ({
      ...row,
      ...(people.has(row.id) ? { people: people.get(row.id)! } : {}),
      kind: state !== "draft" ? "undelivered" : row.text === "" ? "question" : "draft",
      since: since.toISOString(),
    })),
  };
}

async function openActs(tx: Tx, caller: Caller): Promise<Waiting["acts"]> {
  const { total, first } = await loadWaitingActs(tx, caller, WAITING_SHOWN);
  return {
    total,
    first: first.map(({ id, state, title, arguments: given, contactName, platform, twinName, createdAt }) => ({
      ...{ id, title, contactName, platform, twinName, since: createdAt },
      state: state === "unknown" ? "unknown" : "waiting-owner",
      about: given
        .map(({ label, value }) => `${label}: ${value}`)
        .join(", ")
        .slice(0, EXCERPT),
    })),
  };
}

async function unreadTakenOver(tx: Tx, changeable: SQL | undefined): Promise<Waiting["unread"]> {
  const rows = await tx
    .select({
      conversationId: conversations.id,
      contactName: conversations.participantName,
      platform: integrations.platform,
      lastMessage: sql<string>`left(coalesce(${conversations.lastMessage}, ''), ${EXCERPT})`,
      unread: conversations.unread,
      since: conversations.updatedAt,
      total,
    })
    .from(conversations)
    .innerJoin(integrations, eq(integrations.id, conversations.integrationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(
      and(
        changeable,
        isNotNull(conversations.contactId),
        gt(conversations.pausedUntil, sql`now()`),
        gt(conversations.unread, 0),
      ),
    )
    .orderBy(asc(conversations.updatedAt), asc(conversations.id))
    .limit(WAITING_SHOWN);
  return {
    total: rows[0]?.total ?? 0,
    first: rows.map(({ total, since, ...row }) => ({ ...row, since: since.toISOString() })),
  };
}

async function cutOffChannels(tx: Tx, changeable: SQL | undefined): Promise<Waiting["channels"]> {
  const rows = await tx
    .select({
      id: integrations.id,
      platform: integrations.platform,
      account: integrations.account,
      phoneNumber: integrations.phoneNumber,
      createdAt: integrations.createdAt,
      status: integrations.status,
      statusReason: integrations.statusReason,
      trouble: integrations.trouble,
      sendFailures: integrations.sendFailures,
      twinName: twins.name,
    })
    .from(integrations)
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .where(
      and(
        changeable,
        ne(integrations.status, "inactive"),
        or(eq(integrations.status, "error"), isNotNull(integrations.trouble), gt(integrations.sendFailures, 0)),
      ),
    )
    .orderBy(asc(integrations.createdAt), asc(integrations.id));
  const cutOff = rows.flatMap((row) => {
    const { id, platform, account, twinName, statusReason } = row;
    const connection = connectionOf(row);
    if (connection !== "trouble" && connection !== "action") return [];
    const reason = (connection === "action" ? statusReason : troubleOf(row)) ?? "Нет связи с платформой";
    const createdAt = row.createdAt.toISOString();
    return [{ id, platform, account, isBot: isTelegramBot(row), createdAt, twinName, connection, reason }];
  });
  const needsOwnerFirst = cutOff.toSorted(
    (a, b) => Number(b.connection === "action") - Number(a.connection === "action"),
  );
  return { total: cutOff.length, first: needsOwnerFirst.slice(0, WAITING_SHOWN) };
}
