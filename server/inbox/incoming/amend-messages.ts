/**
 * A contact changes or deletes a message after it has arrived. What is not answered yet, or is answered by a draft that its owner has not
 * touched, is answered anew; what was answered already is marked in the conversation. docs/formats.md has the rules.
 */
import { createHash } from "node:crypto";
import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, notInArray, or, sql } from "drizzle-orm";
import { Inbound, type MessageChange } from "#server/inbox/channel-protocol/channel.ts";
import {
  type ConversationRow,
  questionText,
  transcriptText,
  writeIncoming,
} from "#server/inbox/conversation-control/contact-conversation.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { ReceivingIntegration } from "./receiving-integration.ts";
import { rewriteLine } from "./settle-media.ts";

/** Number of a conversation's latest lines that can be changed. Platforms allow changes for two days at most. */
const LATEST = 500;

export const CHANGED_LATE = "Сообщение изменено после ответа";
export const DELETED_LATE = "Сообщение удалено после ответа";
const DELETED = "Собеседник удалил сообщение";
const CHECK_ANSWER = "Собеседник изменил сообщение: проверьте ответ";
const ANSWERED_ANEW = "Собеседник изменил сообщение: ответ составлен заново";

type Event = Omit<typeof inboxEvents.$inferSelect, "inbound"> & { inbound: Inbound };

/** @returns whether the changed messages are known */
export async function amendMessages(
  tx: Tx,
  jobs: Jobs,
  integration: ReceivingIntegration,
  change: MessageChange,
): Promise<boolean> {
  const [conversation] = await tx
    .select()
    .from(conversations)
    .where(and(eq(conversations.integrationId, integration.id), eq(conversations.externalId, change.conversation)))
    .for("no key update");
  const events = await changedEvents(tx, integration, change, conversation);
  let again = false;
  for (const event of events) {
    if (event.error === DELETED) continue;
    const inbound = changedInbound(event.inbound, change);
    if (inbound !== null && transcriptText(inbound) === transcriptText(event.inbound)) continue;
    again = (await amendEvent(tx, event, inbound, conversation)) || again;
  }
  if (again) {
    const { organizationId, userId, id: integrationId } = integration;
    await jobs.enqueue(tx, "process-inbox", {
      ...{ organizationId, userId, integrationId, conversationKey: change.conversation },
    });
  }
  return events.length > 0 || (change.instead !== undefined && (await wasDeleted(tx, integration, change)));
}

const isNamed = ({ messages }: MessageChange) =>
  messages.by === "position"
    ? inArray(inboxEvents.position, messages.ids)
    : inArray(sql`${inboxEvents.inbound} ->> 'messageId'`, messages.ids);

/** Platforms deliver an edit again for two days at most. An edit that comes after the deletion must not bring the message back. */
const REDELIVERED_MS = 2 * 24 * 3600_000;

async function wasDeleted(
  tx: Tx,
  { id, organizationId }: ReceivingIntegration,
  change: MessageChange,
): Promise<boolean> {
  const [event] = await tx
    .select({ id: inboxEvents.id })
    .from(inboxEvents)
    .where(
      and(
        eq(inboxEvents.orgId, organizationId),
        gt(inboxEvents.receivedAt, new Date(Date.now() - REDELIVERED_MS)),
        eq(inboxEvents.integrationId, id),
        eq(inboxEvents.conversationKey, change.conversation),
        eq(inboxEvents.error, DELETED),
        isNamed(change),
      ),
    )
    .limit(1);
  return event !== undefined;
}

/** Locks the events of the changed messages. */
async function changedEvents(
  tx: Tx,
  { id }: ReceivingIntegration,
  change: MessageChange,
  conversation: ConversationRow | undefined,
): Promise<Event[]> {
  const lines = tx
    .select({ id: conversationMessages.id })
    .from(conversationMessages)
    .where(eq(conversationMessages.conversationId, conversation?.id ?? NO_CONVERSATION))
    .orderBy(desc(conversationMessages.id))
    .limit(LATEST);
  const rows = await tx
    .select()
    .from(inboxEvents)
    .where(
      and(
        eq(inboxEvents.integrationId, id),
        eq(inboxEvents.conversationKey, change.conversation),
        isNamed(change),
        // Indexes find both kinds: what waits, and what stands in the conversation.
        or(inArray(inboxEvents.status, ["pending", "failed"]), inArray(inboxEvents.messageId, lines)),
      ),
    )
    .orderBy(asc(inboxEvents.id))
    .for("update");
  return rows.flatMap((row) => {
    const inbound = Inbound.safeParse(row.inbound).data;
    // A mark of an earlier change has the same ids.
    return inbound === undefined || row.eventId.startsWith(MARK) ? [] : [{ ...row, inbound }];
  });
}

const NO_CONVERSATION = "00000000-0000-0000-0000-000000000000";
const MARK = "changed ";

/** Returns the message as it is now; null: it was deleted. Content without words never empties what stood there. */
function changedInbound(inbound: Inbound, { content }: MessageChange): Inbound | null {
  if (content === null) return null;
  const { media, words, original: _replaced, ...rest } = inbound;
  const same = content.attachments.join("\n") === inbound.attachments.join("\n");
  // The words of a recording stay as long as the recording does.
  const read = same ? { ...(media && { media }), ...(words && { words }) } : {};
  return { ...rest, ...content, media: undefined, ...read };
}

/** @returns whether the conversation has to be answered anew */
async function amendEvent(
  tx: Tx,
  event: Event,
  inbound: Inbound | null,
  conversation: ConversationRow | undefined,
): Promise<boolean> {
  const answer =
    event.status === "done" && !event.inbound.fromOwner && conversation !== undefined
      ? await answerTo(tx, event, conversation)
      : undefined;
  if (answer === undefined) {
    await rewrite(tx, event, inbound);
    return false;
  }
  const { state, original, decidedBy, author } = answer;
  const untouched = author === null && original === null && decidedBy === null;
  if (untouched && (state === "draft" || state === "pending")) {
    await tx
      .update(outbox)
      .set({ state: "cancelled", reason: inbound === null ? DELETED : ANSWERED_ANEW })
      .where(eq(outbox.id, answer.id));
    await reopen(tx, event, answer, conversation!);
    await rewrite(tx, event, inbound);
    return true;
  }
  if (state === "draft" || (state === "pending" && author === null)) {
    // The owner has worked on the answer or approved it, so it is his to decide again.
    const question = replacedIn(answer.question, event.inbound, inbound);
    const reason = inbound === null ? DELETED : CHECK_ANSWER;
    await tx.update(outbox).set({ state: "draft", decidedBy: null, reason, question }).where(eq(outbox.id, answer.id));
    await rewrite(tx, event, inbound);
    return false;
  }
  await mark(tx, event, inbound, conversation!);
  return false;
}

/** Whether an answer was not withdrawn because of a change. */
const stands = or(
  ne(outbox.state, "cancelled"),
  isNull(outbox.reason),
  notInArray(outbox.reason, [ANSWERED_ANEW, DELETED]),
);

/**
 * Returns the answer that was made to a message: the first one of the twin's after it whose question holds its words. An answer to earlier
 * messages may be stored after it has arrived.
 */
async function answerTo(tx: Tx, { receivedAt, inbound }: Event, { id }: ConversationRow) {
  const isAsked = sql`strpos(${outbox.question}, ${questionText(inbound)}) > 0`;
  const [answer] = await tx
    .select()
    .from(outbox)
    .where(and(eq(outbox.conversationId, id), isNull(outbox.author), gte(outbox.createdAt, receivedAt), stands))
    .orderBy(desc(isAsked), asc(outbox.createdAt), asc(outbox.id))
    .limit(1)
    .for("update");
  return answer;
}

/** Makes the messages of a withdrawn answer wait again: those since the answer before whose words its question holds, and the changed one. */
async function reopen(
  tx: Tx,
  { id: changed, integrationId, conversationKey }: Event,
  { createdAt, question }: typeof outbox.$inferSelect,
  { id }: ConversationRow,
): Promise<void> {
  const earlier = await tx
    .select({ createdAt: outbox.createdAt })
    .from(outbox)
    .where(and(eq(outbox.conversationId, id), isNull(outbox.author), stands, lt(outbox.createdAt, createdAt)))
    .orderBy(desc(outbox.createdAt))
    .limit(2);
  // The answer just before may have been stored after this one's messages had arrived.
  const since = earlier.at(1)?.createdAt;
  const candidates = await tx
    .select({ id: inboxEvents.id, inbound: inboxEvents.inbound })
    .from(inboxEvents)
    .where(
      and(
        eq(inboxEvents.integrationId, integrationId),
        eq(inboxEvents.conversationKey, conversationKey),
        eq(inboxEvents.status, "done"),
        sql`coalesce(${inboxEvents.inbound} ->> 'fromOwner', '') <> 'true'`,
        lte(inboxEvents.receivedAt, createdAt),
        since === undefined ? undefined : gt(inboxEvents.receivedAt, since),
      ),
    );
  const asked = candidates
    .filter((each) => each.id === changed || question.includes(questionText(Inbound.parse(each.inbound))))
    .map((each) => each.id);
  await tx
    .update(inboxEvents)
    .set({ status: "pending", attempts: 0, error: null })
    .where(inArray(inboxEvents.id, [changed, ...asked]));
}

async function rewrite(tx: Tx, event: Event, inbound: Inbound | null): Promise<void> {
  if (inbound === null) {
    const { media: _media, words: _words, original: _original, ...ids } = event.inbound;
    await tx
      .update(inboxEvents)
      // Nothing reads what it said any more, so it is not kept.
      .set({ status: "ignored", error: DELETED, inbound: { ...ids, text: "", attachments: [] } })
      .where(eq(inboxEvents.id, event.id));
    return;
  }
  await tx.update(inboxEvents).set({ inbound }).where(eq(inboxEvents.id, event.id));
  if (event.messageId !== null) await rewriteLine(tx, event.messageId, transcriptText(inbound));
}

/** Writes what the message says now below the answer, once; the answered line stays as it was. */
async function mark(tx: Tx, event: Event, inbound: Inbound | null, conversation: ConversationRow): Promise<void> {
  const { media: _media, words: _words, ...said } = event.inbound;
  const late: Inbound = {
    ...said,
    // The next answer goes to where the newest message was written.
    context: conversation.replyContext ?? {},
    text: inbound?.text ?? "",
    attachments: [inbound === null ? DELETED_LATE : CHANGED_LATE, ...(inbound?.attachments ?? [])],
  };
  const now = createHash("sha256").update(transcriptText(late)).digest("hex").slice(0, 16);
  const { orgId, integrationId, conversationKey, position } = event;
  const [row] = await tx
    .insert(inboxEvents)
    .values({
      ...{ orgId, integrationId, conversationKey, position, inbound: late },
      ...{ eventId: `${MARK}${event.id} ${now}`, status: "ignored", error: late.attachments[0] },
    })
    .onConflictDoNothing()
    .returning({ id: inboxEvents.id });
  if (row !== undefined) await writeIncoming(tx, conversation, [{ id: row.id, inbound: late }]);
}

const replacedIn = (question: string, before: Inbound, now: Inbound | null): string =>
  now === null ? question : question.replace(questionText(before), () => questionText(now));
