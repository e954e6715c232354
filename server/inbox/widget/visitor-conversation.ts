import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { and, asc, desc, eq, gt, inArray, or, sql } from "drizzle-orm";
import type { VisitorMessage, WidgetConversation, WidgetFace, WidgetLine } from "#contract/integrations/widget.ts";
import { publicNameOf } from "#server/accounts/twins/public-name.ts";
import type { AnswerDeps } from "#server/inbox/answering/answer-job.ts";
import { processInbox, type StreamListener } from "#server/inbox/answering/process-inbox.ts";
import { silenceReason } from "#server/inbox/conversation-control/answer-policy.ts";
import { isStopped } from "#server/inbox/conversation-control/stop-switch.ts";
import { closedNow } from "#server/inbox/conversation-control/working-hours.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { hasNoAnswer } from "#server/inbox/unanswered/unanswered.ts";
import { disclosureNotice } from "#server/knowledge/language/disclosure.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { widgets } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import { answerUnderLease, leaseEnd } from "./answer-lease.ts";
import { countMessage } from "./count-message.ts";

/** A widget that a visitor has opened. It is a `Tenant` because its queries run with the rights of the twin's owner. */
export interface OpenWidget extends Tenant {
  row: typeof widgets.$inferSelect;
  publicName: string;
}

interface VisitorListener extends StreamListener {
  /** Called once the message is stored, whether or not it will be answered. An error before that means it was not stored. */
  kept(): void;
}

const SENDING_MS = 10_000;
const LOOK_MS = 25;
const SHOWN_LINES = 200;

const widgetNotFound = () => notFound("Чат не найден или выключен", "widget_not_found");

/** @throws Problem 404, also while it is off */
export async function openWidget(db: Database, id: string): Promise<OpenWidget> {
  if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)) throw widgetNotFound();
  const [found] = await asPlatform(db, (tx) =>
    tx
      .select({ row: widgets, ownerId: twins.ownerId, twin: { name: twins.name, publicName: twins.publicName } })
      .from(widgets)
      .innerJoin(integrations, and(eq(integrations.id, widgets.integrationId), eq(integrations.status, "active")))
      .innerJoin(twins, eq(twins.id, widgets.twinId))
      .where(eq(widgets.id, id)),
  );
  if (found === undefined) throw widgetNotFound();
  return {
    row: found.row,
    publicName: publicNameOf(found.twin),
    organizationId: found.row.orgId,
    userId: found.ownerId,
  };
}

export function toWidgetFace({ row, publicName }: OpenWidget): WidgetFace {
  const { title, greeting, color } = row;
  return { title, greeting, color, disclosure: disclosureNotice({ publicName }) };
}

/** Only a hash of the visitor's secret is stored, because the secret gives access to the conversation. */
const visitorKey = (visitor: string): string => createHash("sha256").update(visitor).digest("hex");

/** Returns messages after `after`, oldest first, and who answers next. */
export function readConversation(
  db: Database,
  widget: OpenWidget,
  visitor: string,
  after: number,
): Promise<WidgetConversation> {
  return asTenant(db, widget, (tx) => conversationOf(tx, widget, visitor, after));
}

async function conversationOf(
  tx: Tx,
  { row }: OpenWidget,
  visitor: string,
  after: number,
): Promise<WidgetConversation> {
  const [place] = await tx
    .select({
      autonomy: integrations.autonomy,
      status: integrations.status,
      twinActive: twins.isActive,
      workingHours: integrations.workingHours,
      consent: contacts.consent,
      conversation: {
        id: conversations.id,
        autonomy: conversations.autonomy,
        pausedUntil: conversations.pausedUntil,
        optedOutAt: conversations.optedOutAt,
      },
    })
    .from(integrations)
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .leftJoin(
      conversations,
      and(eq(conversations.integrationId, integrations.id), eq(conversations.externalId, visitorKey(visitor))),
    )
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(eq(integrations.id, row.integrationId));
  if (place === undefined) throw widgetNotFound();
  const { conversation } = place;
  const silent = silenceReason({
    twinActive: place.twinActive,
    integrationStatus: place.status,
    autonomy: conversation?.autonomy ?? place.autonomy,
    pausedUntil: conversation?.pausedUntil ?? null,
    optedOutAt: conversation?.optedOutAt ?? null,
    consentRefused: place.consent === "refused",
    closed: closedNow(place.workingHours),
    now: new Date(),
  });
  const stopped = silent !== null || (await isStopped(tx, row.orgId));
  if (conversation === null) return { lines: [], human: stopped };
  const lines = await tx
    .select({
      id: conversationMessages.id,
      role: conversationMessages.role,
      author: conversationMessages.author,
      text: conversationMessages.content,
      parted: sql<boolean>`coalesce((${conversationMessages.citations} ->> 'parted')::boolean, false)`,
      createdAt: conversationMessages.createdAt,
    })
    .from(conversationMessages)
    .where(and(eq(conversationMessages.conversationId, conversation.id), gt(conversationMessages.id, after)))
    .orderBy(desc(conversationMessages.id))
    .limit(SHOWN_LINES);
  const [waiting] = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.conversationId, conversation.id), or(eq(outbox.state, "draft"), eq(outbox.state, "failed"))))
    .orderBy(asc(outbox.createdAt))
    .limit(1);
  return {
    lines: lines.reverse().map(
      ({ id, role, author, text, parted, createdAt }): WidgetLine => ({
        id,
        from: role === "user" ? "visitor" : author === "owner" ? "owner" : "twin",
        text,
        ...(parted ? { parted } : {}),
        at: createdAt.toISOString(),
      }),
    ),
    human: stopped || waiting !== undefined || (await isLeftToPeople(tx, conversation.id)),
  };
}

/**
 * Returns whether a member has rejected the draft for the visitor's last message, and no answer came since. Then people must answer, though
 * nothing waits. A reply that the twin does not know is no answer.
 */
async function isLeftToPeople(tx: Tx, conversationId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select draft.rejected from (select id, created_at from conversation_messages
      where conversation_id = ${conversationId} and role = 'user' order by id desc limit 1) asked
    cross join lateral (select o.state = 'cancelled' and o.decided_by is not null as rejected from outbox o
      where o.conversation_id = ${conversationId} and o.created_at >= asked.created_at and o.state <> 'sent'
      order by o.created_at desc limit 1) draft
    where not exists (select from conversation_messages answer where answer.conversation_id = ${conversationId}
      and answer.id > asked.id and answer.role = 'assistant' and ${hasNoAnswer(sql`answer.citations`)} is not true)`);
  return rows[0]?.rejected === true;
}

/** Serialises the answers of a conversation, so that each one knows the previous messages. */
const turns = new Map<string, Promise<unknown>>();
function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(key) ?? Promise.resolve();
  const mine = before.catch(() => {}).then(work);
  turns.set(key, mine);
  const over = () => {
    if (turns.get(key) === mine) turns.delete(key);
  };
  mine.then(over, over);
  return mine;
}

/**
 * Stores the message like any platform's, and answers it at once if the twin answers automatically. A repeated message is recognised. If
 * the visitor leaves, the answer is there on return.
 * @param message.address of the visitor's machine or network
 * @param stopping aborts when the server waits for answers no longer; the job answers after the next start
 * @throws Problem 404; 429 when a daily limit is reached; 502 when the model fails, and the job retries later
 */
export async function receiveVisitorMessage(
  deps: AnswerDeps,
  widget: OpenWidget,
  visitor: string,
  { id, text, address }: VisitorMessage & { address: string },
  listener: VisitorListener,
  stopping: AbortSignal,
): Promise<void> {
  const key = visitorKey(visitor);
  const { organizationId, userId, row } = widget;
  const integration = { id: row.integrationId, organizationId, userId };
  await inTurn(`${row.id}:${key}`, async () => {
    await countMessage(deps.db, widget, address);
    const inbound = {
      eventId: `${key.slice(0, 16)}:${id.toLowerCase()}`,
      conversation: key,
      position: Date.now(),
      peer: { id: key, name: `Посетитель ${key.slice(0, 4).toUpperCase()}` },
      text,
      attachments: [],
      sentAt: new Date().toISOString(),
      automated: false,
    };
    const stored = await storeInbound(deps, integration, inbound, undefined, leaseEnd());
    if (stored === "gone") throw widgetNotFound();
    listener.kept();
    if (stored !== "new") return;
    const job = { organizationId, userId, integrationId: row.integrationId, conversationKey: key };
    await answerUnderLease(deps, job, stopping, () => processInbox(deps, job, stopping, listener));
    await untilSent(deps.db, widget, key);
  });
}

/**
 * Waits until the job has sent the answer. Only the job sends, because of two senders each would take the other for dead. A longer send
 * appears at the page's next request.
 */
async function untilSent(db: Database, widget: OpenWidget, key: string): Promise<void> {
  for (const until = Date.now() + SENDING_MS; Date.now() < until; await pause(LOOK_MS)) {
    const [left] = await asTenant(db, widget, (tx) =>
      tx
        .select({ id: outbox.id })
        .from(outbox)
        .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
        .where(
          and(
            eq(conversations.integrationId, widget.row.integrationId),
            eq(conversations.externalId, key),
            inArray(outbox.state, ["pending", "sending"]),
          ),
        )
        .limit(1),
    );
    if (left === undefined) return;
  }
}
