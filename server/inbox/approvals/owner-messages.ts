/** Handles the owner's own messages to a contact: written here and sent by the channel, or seen by it in another client. */
import { and, eq, gt, inArray, or, sql } from "drizzle-orm";
import type { Approval, OwnerMessage } from "#contract/conversations/approvals.ts";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { lockTwinOf } from "#server/inbox/conversation-control/contact-conversation.ts";
import { endUnprovenStop } from "#server/inbox/conversation-control/opt-out-orders.ts";
import { takeoverFrom, yieldToOwner } from "#server/inbox/conversation-control/takeover.ts";
import { canChangeConversation } from "#server/inbox/conversations/access.ts";
import { disclosureNotice } from "#server/knowledge/language/disclosure.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { approvalOf } from "./approvals.ts";

/**
 * Puts the owner's message into the outbox; like the twin's it is sent at most once. The twin then pauses in this conversation.
 * @throws Problem 404, 403; 409 if nothing can be sent
 */
export function writeAsOwner(
  { db, jobs }: { db: Database; jobs: Jobs },
  caller: Caller,
  conversationId: string,
  { text }: OwnerMessage,
): Promise<Approval> {
  return asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, conversationId);
    await lockTwinOf(tx, conversationId);
    const [conversation] = await tx
      .select({
        integrationId: integrations.id,
        status: integrations.status,
        contactId: conversations.contactId,
        optedOutAt: conversations.optedOutAt,
      })
      .from(conversations)
      .innerJoin(integrations, eq(integrations.id, conversations.integrationId))
      .where(eq(conversations.id, conversationId));
    if (conversation === undefined)
      throw conflict("cannot_send", "Этот диалог не связан с платформой: отправить некуда");
    if (conversation.status !== "active") {
      throw conflict("cannot_send", "Интеграция приостановлена. Включите её, чтобы написать собеседнику.");
    }
    if (conversation.optedOutAt !== null) throw conflict("cannot_send", "Собеседник попросил больше не писать");
    await yieldToOwner(tx, conversationId, takeoverFrom(new Date()));
    await endUnprovenStop(tx, conversation.contactId);
    const { organizationId, userId } = caller;
    const [row] = await tx
      .insert(outbox)
      .values({
        orgId: organizationId,
        integrationId: conversation.integrationId,
        conversationId,
        author: "owner",
        question: "",
        text,
        secrecy: "organization",
        state: "pending",
        decidedBy: userId,
      })
      .returning({ id: outbox.id });
    await tx.update(conversations).set({ unread: 0 }).where(eq(conversations.id, conversationId));
    await jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId });
    return approvalOf(tx, caller, row!.id);
  });
}

/** Milliseconds in which an echo is recognised by its text, because a platform may report a send before its id is stored. */
const TOLD_LATE_MS = 10 * 60_000;

/** Returns whether a message that seems to be the owner's is an echo of a message that we sent. */
export async function isOwnEcho(tx: Tx, conversationId: string, { messageId, text }: Inbound): Promise<boolean> {
  const known = messageId === undefined ? undefined : sql`${messageId} = any(${outbox.externalIds})`;
  const lately = and(
    inArray(outbox.state, messageId === undefined ? ["sending", "unknown", "sent"] : ["sending", "unknown"]),
    gt(outbox.nextAttemptAt, new Date(Date.now() - TOLD_LATE_MS)),
  );
  const rows = await tx
    .select({ text: outbox.text, state: outbox.state, ids: outbox.externalIds })
    .from(outbox)
    .where(and(eq(outbox.conversationId, conversationId), or(known, lately)));
  const words = plain(text);
  return rows.some(
    (row) =>
      (messageId !== undefined && row.ids.includes(messageId)) || (words !== "" && saidIn(plain(row.text), words)),
  );
}

/** Characters beyond which a platform may have split a sent text. */
const CUT_FROM = 1500;
const DISCLOSED = plain(disclosureNotice({})).slice(0, 20);

/** Returns whether the echo contains the sent text: a first answer follows its disclosure, a long one is split. */
const saidIn = (sent: string, heard: string): boolean =>
  heard === sent ||
  (heard.startsWith(DISCLOSED) && heard.endsWith(sent)) ||
  (sent.length > CUT_FROM && sent.includes(heard));

/** Removes formatting marks, which platforms render differently. */
function plain(text: string): string {
  return text.replace(/[*_`~\s]+/g, " ").trim();
}

/**
 * Pauses the twin in the transaction that stores the owner's message from another client. If it is his first message there, the
 * conversation is created later. The caller has locked the twin.
 */
export async function ownerWroteElsewhere(tx: Tx, integrationId: string, inbound: Inbound): Promise<void> {
  const [conversation] = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.integrationId, integrationId), eq(conversations.externalId, inbound.conversation)))
    .for("no key update");
  if (conversation === undefined || (await isOwnEcho(tx, conversation.id, inbound))) return;
  await yieldToOwner(tx, conversation.id, takeoverFrom(new Date(inbound.sentAt)));
}
