/** The second of four steps (prepare-answer.ts): separates what must be answered from everything else that waits. */
import { inArray } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import type { Log } from "#server/platform/log.ts";
import type { ConversationRow } from "../conversations/contact-conversation.ts";
import { applyOptOutOrders, isRefusal } from "../conversations/opt-out-orders.ts";
import { takeoverFrom, yieldToOwner } from "../conversations/takeover.ts";
import type { Waiting, WaitingEvent } from "./load-waiting.ts";

export interface PendingMessages {
  /** The contact's messages that were not answered yet. */
  open: WaitingEvent[];
  /** Those of them that ask something: all but «СТОП». */
  asked: WaitingEvent[];
  /** Since when the contact wants no replies; null: they want them. */
  optedOutAt: Date | null;
}

/**
 * Settles messages of programs, of the owner and of our own sends, and obeys the contact's «СТОП» and «СТАРТ», also where he
 * says them by a button of the platform. A message of the owner's
 * starts a takeover.
 */
export async function filterWaiting(tx: Tx, log: Log, waiting: Waiting): Promise<PendingMessages> {
  const { conversation, events, echoes } = waiting;
  const settled = (some: readonly WaitingEvent[], status: "done" | "ignored", error: string | null = null) =>
    settleEvents(
      tx,
      some.map(({ id }) => id),
      status,
      error,
    );
  const automated = events.filter(({ inbound }) => inbound.automated);
  await settled(automated, "ignored", "Автоматическое сообщение");
  const sentFromHere = events.filter(({ id }) => echoes.has(id));
  await settled(sentFromHere, "ignored", "Отправлено отсюда");
  const owners = events.filter(({ id, inbound }) => inbound.fromOwner && !inbound.automated && !echoes.has(id));
  await settled(owners, "done");
  const heard = owners.at(-1);
  if (heard !== undefined) await leaveToOwner(tx, conversation, new Date(heard.inbound.sentAt));
  const contacts = events.filter(({ inbound }) => !inbound.automated && !inbound.fromOwner);
  // Messages before the owner's were answered by him.
  const open = contacts.filter((event) => heard === undefined || events.indexOf(event) > events.indexOf(heard));
  const answered = contacts.filter((event) => !open.includes(event));
  await settled(answered, "ignored", "Вы ответили сами");
  const optedOutAt = await applyOptOutOrders(
    tx,
    log,
    conversation,
    contacts.map(({ inbound }) => inbound),
  );
  return { open, asked: open.filter(({ inbound }) => !isRefusal(inbound)), optedOutAt };
}

/** @param error the reason why nothing is answered, for the owner; null where something is */
export async function settleEvents(
  tx: Tx,
  ids: readonly number[],
  status: "done" | "ignored",
  error: string | null,
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(inboxEvents)
    .set({ status, error })
    .where(inArray(inboxEvents.id, [...ids]));
}

async function leaveToOwner(tx: Tx, conversation: ConversationRow, saidAt: Date): Promise<void> {
  const until = takeoverFrom(saidAt);
  await yieldToOwner(tx, conversation.id, until);
  if (conversation.pausedUntil === null || conversation.pausedUntil < until) conversation.pausedUntil = until;
}
