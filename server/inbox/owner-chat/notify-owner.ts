/**
 * The job that shows drafts and acts in the chats of members who decide, and updates the messages. It compares the chat with the present state, so
 * code that changes a draft need not notify it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { and, asc, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { findMember } from "#server/accounts/auth/sessions.ts";
import { mayChangeTwin } from "#server/accounts/organizations/access.ts";
import { sendUntilAsked } from "#server/accounts/twins/in-flight-sends.ts";
import { DRAFT_VERSION } from "#server/inbox/approvals/draft-version.ts";
import type { Card, OwnerChatTransport, SendResult } from "#server/inbox/channel-protocol/channel.ts";
import { takeRateSlot } from "#server/inbox/channel-protocol/rate-limit.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { openChannel } from "#server/inbox/channels/registry.ts";
import { isStopped } from "#server/inbox/conversation-control/stop-switch.ts";
import type { OutboxDeps } from "#server/inbox/outbox/outbox.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { integrations, ownerChats } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";
import { isReadable, isShared } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import { changedAct, HAS_ACT_TO_SHOW, untoldAct } from "./act-notices.ts";
import { DELETED_DRAFT_CARD, draftCard } from "./draft-card.ts";
import { endOwnerChat, type OwnerChatRow } from "./owner-chat.ts";
import type { ToShow } from "./to-show.ts";

type NotifyJob = JobData["notify-owner"];
type NoticeRow = typeof ownerNotices.$inferSelect;

/** Number of tries to show one draft; each may have arrived without our knowing. */
const ATTEMPTS = 5;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Milliseconds that the messages of a decided draft are kept, so that a press on their buttons still gets a response. */
const CARDS_KEPT_MS = 30 * 24 * 3600_000;

/** SQL for notices that are no longer needed. The notice of a waiting draft stays, because without it the owner would be notified again. */
export const noticeIsOld = (now: number) =>
  and(
    lt(ownerNotices.closedAt, new Date(now - CARDS_KEPT_MS)),
    sql`not exists (select from ${outbox} where ${outbox.id} = ${ownerNotices.outboxId} and ${outbox.state} = 'draft')`,
  );

const shown = {
  notice: ownerNotices,
  version: DRAFT_VERSION,
  draft: {
    id: outbox.id,
    question: outbox.question,
    text: outbox.text,
    state: outbox.state,
    // In more words where they are the answer's own, which this chat shows as well.
    reason: sql<
      string | null
    >`case when ${outbox.state} = 'draft' then coalesce(${outbox.citations}->>'why', ${outbox.reason})
      else ${outbox.reason} end`,
    confidence: outbox.confidence,
    basis: sql<string | null>`${outbox.citations}->>'basis'`,
    scripted: sql<boolean>`(${outbox.citations}->>'scripted') is not null`,
  },
  contactName: conversations.participantName,
  platform: integrations.platform,
  twin: { name: twins.name, orgId: twins.orgId, ownerId: twins.ownerId },
};

/** SQL for a notice joined to its draft: the shown message is out of date. */
const SHOWS_ANOTHER = and(
  isNull(ownerNotices.actId),
  isNull(ownerNotices.closedAt),
  sql`cardinality(${ownerNotices.messageIds}) > 0`,
  sql`${ownerNotices.version} is distinct from ${DRAFT_VERSION}`,
);

/** SQL for a draft joined to its notice in a chat, if any: the owner has not been notified of the draft. */
const UNTOLD = or(
  isNull(ownerNotices.id),
  and(isNull(ownerNotices.closedAt), sql`cardinality(${ownerNotices.messageIds}) = 0`),
);

interface Work {
  chat: OwnerChatRow & { chatId: string };
  notice: NoticeRow;
  version: string;
  card: Card;
  settled: boolean;
  ownerChat: OwnerChatTransport;
}

/** Updates the chat until it shows the present state, or the platform asks to wait. */
export async function notifyOwner(deps: OutboxDeps, job: NotifyJob, signal: AbortSignal): Promise<void> {
  await asTenant(deps.db, job, (tx) =>
    // Only one run at a time sends to a chat, so an unfinished send belongs to a dead run and may have arrived.
    tx
      .update(ownerNotices)
      .set({ sendingSince: null, doubtful: true })
      .where(and(eq(ownerNotices.ownerChatId, job.ownerChatId), isNotNull(ownerNotices.sendingSince))),
  );
  while (!signal.aborted) {
    const member = await findMember(deps.db, job);
    const work = await asTenant(deps.db, job, (tx) => claimNext(tx, deps, job, member));
    if (work === null) return;
    if ("waitMs" in work) {
      await pause(work.waitMs, undefined, { signal }).catch(() => {});
      continue;
    }
    const result = await sendUntilAsked(
      () => wasAskedToEnd(deps, job, work.notice.id),
      (ending) => carryOut(work, ending),
    );
    await asTenant(deps.db, job, (tx) => settle(tx, work, result));
    if (!result.ok) deps.log.warn({ notice: work.notice.id, kind: result.kind }, "a draft was not shown to its owner");
  }
}

async function wasAskedToEnd({ db }: OutboxDeps, job: NotifyJob, id: string): Promise<boolean> {
  const [row] = await asTenant(db, job, (tx) =>
    tx.select({ endAsked: ownerNotices.endAsked }).from(ownerNotices).where(eq(ownerNotices.id, id)),
  );
  return row?.endAsked ?? true;
}

/** Locks twin and integration as for a send (outbox.ts): after a deletion has returned nothing is shown. */
async function claimNext(
  tx: Tx,
  deps: OutboxDeps,
  { ownerChatId, organizationId }: NotifyJob,
  member: Caller | null,
): Promise<Work | { waitMs: number } | null> {
  const [place] = await tx
    .select({ integrationId: integrations.id, twinId: integrations.twinId })
    .from(ownerChats)
    .innerJoin(integrations, eq(integrations.id, ownerChats.integrationId))
    .where(eq(ownerChats.id, ownerChatId));
  if (place === undefined) return null;
  const [twin] = await tx.select().from(twins).where(eq(twins.id, place.twinId)).for("share");
  const [integration] = await tx
    .select()
    .from(integrations)
    .where(eq(integrations.id, place.integrationId))
    .for("share");
  const [chat] = await tx.select().from(ownerChats).where(eq(ownerChats.id, ownerChatId)).for("update");
  if (twin === undefined || integration === undefined || chat === undefined || chat.chatId === null) return null;
  if (integration.status !== "active" || (chat.waitUntil !== null && chat.waitUntil > new Date())) return null;
  const channel = openChannel(openCredentials(deps.vault, integration), deps.config, integration);
  if (channel?.ownerChat === undefined) return null;
  const found =
    (await changed(tx, chat.id)) ??
    (await changedAct(tx, chat.id)) ??
    ((await isStopped(tx, organizationId))
      ? null
      : ((await untold(tx, chat, integration.twinId)) ?? (await untoldAct(tx, chat.id, integration.twinId))));
  if (found === null) return null;
  const { notice, version, of } = found;
  if (found.twin !== null && (member === null || !mayChangeTwin(member, found.twin))) {
    await endOwnerChat(tx, chat, "Чат для решений по черновикам отвязан: у его участника больше нет прав");
    return null;
  }
  const unshown = notice === null || notice.messageIds.length === 0;
  const waitMs =
    unshown && channel.rateLimit !== undefined
      ? takeRateSlot(channel.rateLimit, integration.id, `owner:${chat.id}`)
      : 0;
  if (waitMs > 0) return { waitMs };
  const row = unshown ? await begin(tx, chat, of!) : notice;
  return {
    chat: { ...chat, chatId: chat.chatId },
    notice: row,
    version,
    card: found.card(row.id, row.doubtful),
    settled: found.settled,
    ownerChat: channel.ownerChat,
  };
}

const draftsOf = (tx: Tx) =>
  tx
    .select(shown)
    .from(ownerNotices)
    .leftJoin(outbox, eq(outbox.id, ownerNotices.outboxId))
    .leftJoin(conversations, eq(conversations.id, outbox.conversationId))
    .leftJoin(integrations, eq(integrations.id, outbox.integrationId))
    .leftJoin(twins, eq(twins.id, conversations.twinId))
    .$dynamic();

/** Returns a message that shows an outdated state. */
async function changed(tx: Tx, ownerChatId: string): Promise<ToShow | null> {
  const [row] = await draftsOf(tx)
    .where(and(eq(ownerNotices.ownerChatId, ownerChatId), SHOWS_ANOTHER))
    .orderBy(asc(ownerNotices.createdAt))
    .limit(1);
  return row === undefined ? null : toShow(row);
}

/** Returns the twin's oldest draft that no message shows yet. Drafts from the owner's private messages are shown only in his chat. */
async function untold(tx: Tx, { id: ownerChatId, userId }: OwnerChatRow, twinId: string): Promise<ToShow | null> {
  const [row] = await tx
    .select(shown)
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(integrations, eq(integrations.id, outbox.integrationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .leftJoin(ownerNotices, and(eq(ownerNotices.outboxId, outbox.id), eq(ownerNotices.ownerChatId, ownerChatId)))
    .where(
      and(
        eq(outbox.state, "draft"),
        eq(conversations.twinId, twinId),
        isReadable({ userId }, outbox.secrecy, twins.ownerId),
        UNTOLD,
      ),
    )
    .orderBy(asc(outbox.createdAt), asc(outbox.id))
    .limit(1);
  return row === undefined ? null : toShow(row);
}

type Shown = Omit<Awaited<ReturnType<typeof draftsOf>>[number], "notice"> & { notice: NoticeRow | null };

function toShow({ notice, version, draft, contactName, platform, twin }: Shown): ToShow {
  if (draft === null) return { notice, version, twin: null, settled: true, of: null, card: () => DELETED_DRAFT_CARD };
  const whole = { ...draft, contactName: contactName!, platform: platform!, twinName: twin!.name };
  return {
    ...{ notice, version, twin, settled: draft.state === "sent" || draft.state === "cancelled" },
    of: { outboxId: draft.id },
    card: (noticeId, doubtful) => draftCard(whole, noticeId, doubtful),
  };
}

async function begin(tx: Tx, { id, orgId }: OwnerChatRow, of: NonNullable<ToShow["of"]>): Promise<NoticeRow> {
  const sendingSince = new Date();
  const [row] = await tx
    .insert(ownerNotices)
    .values({ orgId, ownerChatId: id, ...of, sendingSince, attempts: 1 })
    .onConflictDoUpdate({
      target: [ownerNotices.ownerChatId, "actId" in of ? ownerNotices.actId : ownerNotices.outboxId],
      set: { sendingSince, endAsked: false, attempts: sql`${ownerNotices.attempts} + 1` },
    })
    .returning();
  return row!;
}

async function carryOut({ chat, notice, card, ownerChat }: Work, ending: AbortSignal): Promise<SendResult> {
  if (notice.messageIds.length === 0) return ownerChat.show(chat.chatId, card, ending);
  for (const messageId of notice.messageIds) {
    const result = await ownerChat.change(chat.chatId, messageId, card, ending);
    if (!result.ok) return { ...result, externalIds: [] };
  }
  return { ok: true, externalIds: [] };
}

async function settle(tx: Tx, { chat, notice, version, settled }: Work, result: SendResult): Promise<void> {
  const now = new Date();
  const set = (values: Partial<typeof ownerNotices.$inferInsert>) =>
    tx
      .update(ownerNotices)
      .set({ ...values, sendingSince: null })
      .where(eq(ownerNotices.id, notice.id));
  if (result.ok) {
    const messageIds = sql`${ownerNotices.messageIds} || ${sql.param(result.externalIds)}::text[]`;
    await set({ version, messageIds: messageIds as never, closedAt: settled ? now : null });
    return;
  }
  if (result.kind === "blocked") {
    await endOwnerChat(tx, chat, "Бот заблокирован в чате для решений по черновикам: чат отвязан");
    return;
  }
  const passes = result.kind === "retry" || result.kind === "unknown" || result.kind === "auth";
  const shows = notice.messageIds.length === 0;
  const tired = result.kind === "unknown" && shows && notice.attempts >= ATTEMPTS;
  await set({
    ...(result.kind === "unknown" && shows ? { doubtful: true } : {}),
    ...(passes && !tired ? {} : { closedAt: now }),
  });
  if (!passes) return;
  const backoff = Math.min(SHORTEST_WAIT_MS * 2 ** Math.min(notice.attempts - 1, 10), LONGEST_WAIT_MS);
  const waitMs = Math.max(result.kind === "retry" ? result.afterMs : 0, backoff);
  await tx
    .update(ownerChats)
    .set({ waitUntil: new Date(now.getTime() + waitMs) })
    .where(eq(ownerChats.id, chat.id));
}

/** Finds chats with something to show, or with a message that a dead process left unfinished, for the periodic sweep. */
export async function dueOwnerChats(tx: Tx): Promise<NotifyJob[]> {
  return tx
    .select({ organizationId: ownerChats.orgId, userId: ownerChats.userId, ownerChatId: ownerChats.id })
    .from(ownerChats)
    .innerJoin(integrations, eq(integrations.id, ownerChats.integrationId))
    .where(
      and(
        isNotNull(ownerChats.chatId),
        eq(integrations.status, "active"),
        sql`coalesce(${ownerChats.waitUntil} <= now(), true)`,
        sql`(exists (
          select 1 from ${ownerNotices} left join ${outbox} on ${outbox.id} = ${ownerNotices.outboxId}
          where ${ownerNotices.ownerChatId} = ${ownerChats.id} and ${SHOWS_ANOTHER}
        ) or exists (
          select 1 from ${outbox} join ${conversations} on ${conversations.id} = ${outbox.conversationId}
          join ${twins} on ${twins.id} = ${conversations.twinId}
            and (${isShared(outbox.secrecy)} or ${twins.ownerId} = ${ownerChats.userId})
          left join ${ownerNotices} on ${ownerNotices.outboxId} = ${outbox.id} and ${ownerNotices.ownerChatId} = ${ownerChats.id}
          where ${outbox.orgId} = ${ownerChats.orgId} and ${outbox.state} = 'draft'
          and ${conversations.twinId} = ${integrations.twinId}
          and ${UNTOLD}
          and not exists (select 1 from twin_stops where twin_stops.org_id = ${ownerChats.orgId})
        ) or ${HAS_ACT_TO_SHOW})`,
      ),
    )
    .limit(200);
}
