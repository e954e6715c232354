import { and, asc, eq, gt, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { WAITING_SHOWN, type Waiting } from "#contract/analytics.ts";
import { isUndecided } from "#server/channels/core/approvals/approvals.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { conversations, integrations, outbox, twins } from "#server/db/schema.ts";
import type { Caller } from "#server/http/route.ts";
import { connectionOf, troubleOf } from "#server/integrations/integrations.ts";

/** Characters of a message that the dashboard has room for. */
const EXCERPT = 200;

const NOTHING: Waiting = {
  answers: { total: 0, first: [] },
  gaps: { total: 0, first: [] },
  unread: { total: 0, first: [] },
  channels: { total: 0, first: [] },
};

/** What waits for the caller's own act; nothing for a viewer, and for a user what belongs to the twins of his own. */
export function waitingFor(db: Database, caller: Caller): Promise<Waiting> {
  if (caller.role === "viewer") return Promise.resolve(NOTHING);
  const changeable = and(
    eq(twins.orgId, caller.organizationId),
    caller.role === "user" ? eq(twins.ownerId, caller.userId) : undefined,
  );
  return asTenant(db, caller, async (tx) => ({
    answers: await undecidedAnswers(tx, changeable),
    gaps: await openGaps(tx, caller),
    unread: await unreadTakenOver(tx, changeable),
    channels: await cutOffChannels(tx, changeable),
  }));
}

const total = sql<number>`(count(*) over ())::int`;

async function undecidedAnswers(tx: Tx, changeable: SQL | undefined): Promise<Waiting["answers"]> {
  const rows = await tx
    .select({
      id: outbox.id,
      conversationId: outbox.conversationId,
      state: outbox.state,
      open: sql<boolean>`${outbox.text} = '' and ${outbox.citations} ->> 'basis' = 'unknown'`,
      contactName: conversations.participantName,
      platform: integrations.platform,
      twinName: twins.name,
      question: sql<string>`left(${outbox.question}, ${EXCERPT})`,
      // Whole: it is sent from here, and nobody is to send what he has not read.
      text: outbox.text,
      since: outbox.createdAt,
      total,
    })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(integrations, eq(integrations.id, outbox.integrationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(isUndecided, changeable))
    .orderBy(asc(outbox.createdAt), asc(outbox.id))
    .limit(WAITING_SHOWN);
  return {
    total: rows[0]?.total ?? 0,
    first: rows.map(({ total, state, open, since, ...row }) => ({
      ...row,
      kind: state !== "draft" ? "undelivered" : open ? "question" : "draft",
      since: since.toISOString(),
    })),
  };
}

/** Only the owner of a twin sees what it could not answer (docs/decisions/092). */
async function openGaps(tx: Tx, { organizationId, userId }: Caller): Promise<Waiting["gaps"]> {
  const { rows } = await tx.execute(sql`
    with asked as (
      select g.twin_id, g.id, count(distinct coalesce(c.contact_id::text, c.id::text)) as people, max(q.id) as newest,
        min(q.asked_at) as since
      from gaps g join twins t on t.id = g.twin_id and t.org_id = ${organizationId} and t.owner_id = ${userId}
      join gap_questions q on q.gap_id = g.id
      join conversations c on c.id = q.conversation_id and (c.user_id is null or c.user_id = t.owner_id)
      where g.state = 'open' group by g.id
    )
    select distinct on (asked.twin_id) asked.twin_id as "twinId", t.name as "twinName", left(coalesce(q.question, q.said), ${EXCERPT}) as question,
      (count(*) over (partition by asked.twin_id))::int as questions,
      min(asked.since) over (partition by asked.twin_id) as since
    from asked join twins t on t.id = asked.twin_id join gap_questions q on q.id = asked.newest
    order by asked.twin_id, asked.people desc, asked.newest desc`);
  const found = rows as unknown as (Waiting["gaps"]["first"][number] & { since: Date | string })[];
  return {
    total: found.length,
    first: found
      .map(({ since, ...row }) => ({ ...row, since: new Date(since).toISOString() }))
      .toSorted((a, b) => b.questions - a.questions || a.twinName.localeCompare(b.twinName))
      .slice(0, WAITING_SHOWN),
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
  const cutOff = rows.flatMap(({ id, platform, account, twinName, statusReason, ...row }) => {
    const connection = connectionOf({ ...row, account });
    if (connection !== "trouble" && connection !== "action") return [];
    const reason = (connection === "action" ? statusReason : troubleOf(row)) ?? "Нет связи с платформой";
    return [{ id, platform, account, twinName, connection, reason }];
  });
  const needsOwnerFirst = cutOff.toSorted(
    (a, b) => Number(b.connection === "action") - Number(a.connection === "action"),
  );
  return { total: cutOff.length, first: needsOwnerFirst.slice(0, WAITING_SHOWN) };
}
