/** Applies «СТОП» and «СТАРТ»: the contact's choice about replies, for all conversations with this address. */
import { and, eq, inArray, isNull, max } from "drizzle-orm";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { isOptIn, isOptOut } from "#server/inbox/channel-protocol/opt-out.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { emit } from "#server/inbox/webhooks/emit.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import type { Log } from "#server/platform/log.ts";
import { UNPROVEN_STOP } from "./answer-policy.ts";
import { senderTrustOf } from "./sender-trust.ts";

type ConversationRow = typeof conversations.$inferSelect;

const REFUSED = "Собеседник попросил больше не писать";

/** Returns whether a message only opts out of replies, also by a platform button. */
export const isRefusal = ({ text, stopped }: Inbound): boolean => stopped === true || isOptOut(text);

/**
 * Applies the last opt-out or opt-in whose sender is proven. One from an unproven sender suspends automatic replies and asks the owner: a
 * forged «СТОП» must not silence a twin, nor a forged «СТАРТ» start it.
 * @returns since when the contact has opted out, or null
 */
export async function applyOptOutOrders(
  tx: Tx,
  log: Log,
  conversation: ConversationRow,
  inbounds: readonly Inbound[],
): Promise<Date | null> {
  const proven: Inbound[] = [];
  const unproven: Inbound[] = [];
  for (const inbound of inbounds) {
    if (!isRefusal(inbound) && !isOptIn(inbound.text)) continue;
    const trust = await senderTrustOf(tx, conversation.contactId!, [inbound]);
    (trust === "proven" ? proven : unproven).push(inbound);
  }
  const doubtful = unproven.at(-1);
  if (doubtful !== undefined) await holdOrRelease(tx, conversation, doubtful);
  const last = proven.at(-1);
  return last === undefined ? conversation.optedOutAt : obey(tx, log, conversation, last);
}

async function obey(tx: Tx, log: Log, conversation: ConversationRow, order: Inbound): Promise<Date | null> {
  const optedOutAt = isRefusal(order) ? (conversation.optedOutAt ?? new Date()) : null;
  if (optedOutAt?.getTime() === conversation.optedOutAt?.getTime()) return optedOutAt;
  await tx.update(conversations).set({ optedOutAt }).where(withSameAddress(conversation));
  if (optedOutAt === null) {
    await endUnprovenStop(tx, conversation.contactId);
  } else {
    await tx
      .update(outbox)
      .set({ state: "cancelled", reason: REFUSED })
      .where(and(inConversations(tx, conversation), inArray(outbox.state, ["draft", "pending"])));
    const said = `${conversation.participantName}: ${order.stopped ? "остановил бота, писать ему нельзя" : "просит больше не писать"}`;
    await noteEvent(tx, conversation.orgId, conversation.integrationId!, said);
  }
  log.info({ conversation: conversation.id, optedOut: optedOutAt !== null }, "a contact's order");
  return optedOutAt;
}

/** Until the owner decides, nothing is sent automatically to this address except replies to letters whose sender is proven. */
async function holdOrRelease(tx: Tx, conversation: ConversationRow, order: Inbound): Promise<void> {
  const { contactId, participantName, orgId, integrationId, twinId, id, platform } = conversation;
  if (!isRefusal(order)) return endUnprovenStop(tx, contactId);
  const held = await tx
    .update(contacts)
    .set({ unprovenStopAt: new Date() })
    .where(and(eq(contacts.id, contactId!), isNull(contacts.unprovenStopAt)))
    .returning({ id: contacts.id });
  // The owner is asked once, and only about an address to which the twin has written.
  const [written] = await tx.select({ id: outbox.id }).from(outbox).where(inConversations(tx, conversation)).limit(1);
  if (held.length === 0 || written === undefined) return;
  await tx
    .update(outbox)
    .set({ state: "draft", reason: UNPROVEN_STOP })
    .where(
      and(
        inConversations(tx, conversation),
        eq(outbox.state, "pending"),
        isNull(outbox.author),
        isNull(outbox.decidedBy),
      ),
    );
  const question = order.text;
  await tx.insert(outbox).values({
    ...{ orgId, integrationId: integrationId!, conversationId: id },
    ...{ question, text: "", secrecy: "organization", state: "draft", reason: UNPROVEN_STOP },
  });
  await emit(tx, {
    type: "draft.created",
    ...{ orgId, twinId, conversationId: id },
    secrecy: "organization",
    data: { conversationId: id, platform, confidence: 0, reason: UNPROVEN_STOP },
    texts: { contactName: participantName, question, text: "" },
  });
  await noteEvent(
    tx,
    orgId,
    integrationId!,
    `${participantName}: просит больше не писать, но отправитель не подтверждён`,
  );
}

/** Called when the owner decides to go on writing there, or the proven contact opts in. */
export async function endUnprovenStop(tx: Tx, contactId: number | null): Promise<void> {
  if (contactId === null) return;
  await tx.update(contacts).set({ unprovenStopAt: null }).where(eq(contacts.id, contactId));
}

/** Finds the contact's opt-out in other conversations of this integration, because it holds in a new one too. */
export async function findEarlierOptOut(tx: Tx, contactId: number, integrationId: string): Promise<Date | null> {
  const [row] = await tx
    .select({ at: max(conversations.optedOutAt) })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), eq(conversations.integrationId, integrationId)));
  return row?.at ?? null;
}

const withSameAddress = ({ contactId, integrationId }: ConversationRow) =>
  and(eq(conversations.contactId, contactId!), eq(conversations.integrationId, integrationId!));

const inConversations = (tx: Tx, conversation: ConversationRow) =>
  inArray(
    outbox.conversationId,
    tx.select({ id: conversations.id }).from(conversations).where(withSameAddress(conversation)),
  );
