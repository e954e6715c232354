/** Loads a contact's burst of messages: first to ask models about it, then to write it into the conversation. */
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Question } from "#server/answers/replies/prefetch-question.ts";
import { isOwnEcho } from "#server/inbox/approvals/owner-messages.ts";
import { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { isOptIn, isOptOut } from "#server/inbox/channel-protocol/opt-out.ts";
import {
  type ContactNotes,
  type ConversationRow,
  conversationOf,
  isBlank,
  loadContactNotes,
  lockTwin,
  questionText,
  transcriptText,
  writeIncoming,
} from "#server/inbox/conversation-control/contact-conversation.ts";
import { historyBefore } from "#server/inbox/conversation-control/conversation-history.ts";
import { debounceEnd } from "#server/inbox/conversation-control/debounce.ts";
import { applyOptOutOrders, isRefusal } from "#server/inbox/conversation-control/opt-out-orders.ts";
import { type SenderTrust, senderTrustOf } from "#server/inbox/conversation-control/sender-trust.ts";
import { isStopped } from "#server/inbox/conversation-control/stop-switch.ts";
import { takeoverFrom, yieldToOwner } from "#server/inbox/conversation-control/takeover.ts";
import { isBeingRead } from "#server/inbox/incoming/incoming-media.ts";
import { waitingEventsSql } from "#server/inbox/incoming/waiting-events.ts";
import { mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import type { Transact, Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Log } from "#server/platform/log.ts";
import type { AnswerJob } from "./answer-job.ts";

type WaitingEvent = Omit<typeof inboxEvents.$inferSelect, "inbound"> & { inbound: Inbound };

/** A contact's burst, and the facts that decide whether it is answered. */
export interface Burst {
  job: AnswerJob;
  integration: typeof integrations.$inferSelect;
  twin: { id: string; isActive: boolean };
  conversation: ConversationRow;
  /** The contact's unanswered messages in the platform's order; the rows are locked. */
  open: WaitingEvent[];
  /** Those of them that need an answer: all but «СТОП». Blank messages are settled before. */
  questions: WaitingEvent[];
  /** Since when the contact has opted out of replies; null: not opted out. */
  optedOutAt: Date | null;
  contact: ContactNotes;
  stopped: boolean;
  sender: SenderTrust;
}

/** Replaces /start: opening a bot is a greeting, not a question about the word. */
const GREETING = "Здравствуйте!";

/** Whether a message has neither visible text nor an attachment, nor is a button of the platform. */
const saysNothing = (inbound: Inbound): boolean => inbound.stopped !== true && isBlank(transcriptText(inbound));

/** The messages of a burst as one message. */
export function messageOf(inbounds: readonly Inbound[]): string {
  return inbounds.map((inbound) => (isOptIn(inbound.text) ? GREETING : questionText(inbound))).join("\n");
}

/** Returns when a burst counts as complete; null if it already is. */
export function burstEnd(events: readonly Pick<WaitingEvent, "inbound" | "receivedAt">[]): Date | null {
  const end = debounceEnd(events.map(({ inbound, receivedAt }) => ({ text: inbound.text, at: receivedAt.getTime() })));
  return end > Date.now() + 50 ? new Date(end) : null;
}

/**
 * Loads the waiting question before its messages are written into the conversation. Null if nothing is to be answered yet.
 * @param waitForBurst whether to wait for the end of a burst of messages
 */
export async function loadQuestion(
  transact: Transact,
  job: AnswerJob,
  waitForBurst: boolean,
): Promise<Question | null> {
  const rows = await transact((tx) =>
    tx
      .select({
        id: inboxEvents.id,
        inbound: inboxEvents.inbound,
        receivedAt: inboxEvents.receivedAt,
        twinId: integrations.twinId,
      })
      .from(inboxEvents)
      .innerJoin(integrations, eq(integrations.id, inboxEvents.integrationId))
      .where(waitingEventsSql(job))
      .orderBy(asc(inboxEvents.position), asc(inboxEvents.id)),
  );
  const events = rows
    .map((row) => ({ ...row, inbound: Inbound.parse(row.inbound) }))
    .filter(({ inbound }) => !inbound.automated && !inbound.fromOwner && !saysNothing(inbound));
  const [first] = events;
  if (first === undefined || events.some(({ inbound }) => isBeingRead(inbound))) return null;
  if (waitForBurst && burstEnd(events) !== null) return null;
  const message = messageOf(events.map(({ inbound }) => inbound).filter(({ text }) => !isOptOut(text)));
  const conversation = { integrationId: job.integrationId, externalId: first.inbound.conversation };
  const ids = events.map(({ id }) => id);
  const history = mayDependOnContext(message) ? await transact((tx) => historyBefore(tx, conversation, ids)) : [];
  return { twinId: first.twinId, message, history, audience: { kind: "stranger" } };
}

/**
 * Locks the twin and the waiting events, and writes them into the conversation. Settles messages of programs, of the owner and of our
 * own sends, and blank ones. A message of the owner's starts a takeover; the contact's «СТОП» and «СТАРТ» are obeyed, also where he
 * says them by a button of the platform. Null: nothing waits any more.
 */
export async function loadBurst(tx: Tx, log: Log, job: AnswerJob): Promise<Burst | null> {
  const [found] = await tx
    .select({ integration: integrations, twin: { id: twins.id, isActive: twins.isActive } })
    .from(integrations)
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .where(and(eq(integrations.id, job.integrationId), eq(integrations.orgId, job.organizationId)));
  if (found === undefined) return null;
  const { integration, twin } = found;
  await lockTwin(tx, twin.id);
  // Changes of messages and the storing of an answer lock in the same order: the conversation, then its events.
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.integrationId, job.integrationId), eq(conversations.externalId, job.conversationKey)))
    .for("no key update");
  const rows = await tx
    .select()
    .from(inboxEvents)
    .where(waitingEventsSql(job))
    .orderBy(asc(inboxEvents.position), asc(inboxEvents.id))
    .for("update");
  const events = rows.map((row) => ({ ...row, inbound: Inbound.parse(row.inbound) }));
  const [first] = events;
  if (first === undefined) return null;
  const conversation = await conversationOf(
    tx,
    { orgId: job.organizationId, twinId: twin.id, integrationId: integration.id, platform: integration.platform },
    first.inbound,
  );
  const echoes = new Set<number>();
  for (const { id, inbound, messageId } of events) {
    if (inbound.fromOwner && messageId === null && (await isOwnEcho(tx, conversation.id, inbound))) echoes.add(id);
  }
  await writeIncoming(
    tx,
    conversation,
    events.filter((event) => event.messageId === null && !echoes.has(event.id)),
  );
  await settleEvents(
    tx,
    events.filter(({ inbound }) => inbound.automated),
    "ignored",
    "Автоматическое сообщение",
  );
  await settleEvents(
    tx,
    events.filter(({ id }) => echoes.has(id)),
    "ignored",
    "Отправлено отсюда",
  );
  const owners = events.filter(({ id, inbound }) => inbound.fromOwner && !inbound.automated && !echoes.has(id));
  await settleEvents(tx, owners, "done", null);
  const heard = owners.at(-1);
  if (heard !== undefined) await leaveToOwner(tx, conversation, new Date(heard.inbound.sentAt));
  const contacts = events.filter(({ inbound }) => !inbound.automated && !inbound.fromOwner);
  // The owner has answered the messages before his own, so only later ones are unanswered.
  const unanswered = contacts.filter((event) => heard === undefined || events.indexOf(event) > events.indexOf(heard));
  await settleEvents(
    tx,
    contacts.filter((event) => !unanswered.includes(event)),
    "ignored",
    "Вы ответили сами",
  );
  const open = unanswered.filter(({ inbound }) => !saysNothing(inbound));
  await settleEvents(
    tx,
    unanswered.filter((event) => !open.includes(event)),
    "ignored",
    "Сообщение без видимого текста",
  );
  const inbounds = contacts.map(({ inbound }) => inbound);
  const optedOutAt = await applyOptOutOrders(tx, log, conversation, inbounds);
  const questions = open.filter(({ inbound }) => !isRefusal(inbound));
  const contact = await loadContactNotes(tx, conversation.contactId!);
  const stopped = await isStopped(tx, job.organizationId);
  const inboundQuestions = questions.map(({ inbound }) => inbound);
  const sender = await senderTrustOf(tx, conversation.contactId!, inboundQuestions);
  return { job, integration, twin, conversation, open, questions, optedOutAt, contact, stopped, sender };
}

/** @param error the reason why nothing is answered, for the owner; null if the messages are answered */
export async function settleEvents(
  tx: Tx,
  events: readonly { id: number }[],
  status: "done" | "ignored",
  error: string | null,
): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(({ id }) => id);
  await tx.update(inboxEvents).set({ status, error }).where(inArray(inboxEvents.id, ids));
}

async function leaveToOwner(tx: Tx, conversation: ConversationRow, saidAt: Date): Promise<void> {
  const until = takeoverFrom(saidAt);
  await yieldToOwner(tx, conversation.id, until);
  if (conversation.pausedUntil === null || conversation.pausedUntil < until) conversation.pausedUntil = until;
}
