/** Finds or creates the conversation and contact of an incoming message. */
import { and, eq, sql } from "drizzle-orm";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { contactsOfPerson } from "#server/inbox/conversations/person.ts";
import type { StoredQuestion } from "#server/inbox/conversations/transcript.ts";
import { emit } from "#server/inbox/webhooks/emit.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import { visibleText } from "#server/knowledge/language/visible-text.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, conversations, inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { contactFacts, contacts } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { findEarlierOptOut } from "./opt-out-orders.ts";

export type ConversationRow = typeof conversations.$inferSelect;

interface TwinChannel {
  orgId: string;
  twinId: string;
  integrationId: string;
  platform: string;
}

/** Locks the row until the transaction ends, so that a simultaneous pause or answer waits. */
export async function conversationOf(tx: Tx, channel: TwinChannel, inbound: Inbound): Promise<ConversationRow> {
  const { integrationId } = channel;
  const found = () =>
    tx
      .select()
      .from(conversations)
      .where(and(eq(conversations.integrationId, integrationId), eq(conversations.externalId, inbound.conversation)))
      .for("no key update");
  const [known] = await found();
  if (known !== undefined) {
    await keepHandle(tx, known.contactId, inbound.peer);
    return known;
  }
  const contactId = await contactOf(tx, channel, inbound.peer);
  const optedOutAt = await findEarlierOptOut(tx, contactId, integrationId);
  await tx
    .insert(conversations)
    .values({ ...channel, externalId: inbound.conversation, contactId, participantName: inbound.peer.name, optedOutAt })
    .onConflictDoNothing();
  const [made] = await found();
  return made!;
}

/** Recognises a contact of the imported history, with the name that the owner gave them. */
export async function contactOf(
  tx: Tx,
  { orgId, twinId, platform }: Omit<TwinChannel, "integrationId">,
  peer: Inbound["peer"],
): Promise<number> {
  await tx
    .insert(contacts)
    .values({ orgId, twinId, platform, externalId: peer.id, name: peer.name, handle: peer.handle ?? null })
    .onConflictDoNothing();
  const [row] = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.twinId, twinId), eq(contacts.platform, platform), eq(contacts.externalId, peer.id)));
  await keepHandle(tx, row!.id, peer);
  return row!.id;
}

async function keepHandle(tx: Tx, contactId: number | null, { handle }: Inbound["peer"]): Promise<void> {
  if (handle === undefined || contactId === null) return;
  await tx
    .update(contacts)
    .set({ handle })
    .where(and(eq(contacts.id, contactId), sql`${contacts.handle} is distinct from ${handle}`));
}

export interface ContactNotes {
  /** Members' notes about the contact, which no answer may repeat. */
  notes: readonly string[];
  address: Address | null;
  styleGroup: string | null;
  consentRefused: boolean;
  /** Whether an unproven sender has opted this address out of replies. */
  stopUnproven: boolean;
}

/**
 * Loads members' notes and preferences for answers to a contact. Notes on another channel of the same person count too: a refusal always, a
 * form of address if none was chosen here.
 */
export async function loadContactNotes(tx: Tx, contactId: number): Promise<ContactNotes> {
  const all = contactsOfPerson(contactId);
  const channels = await tx
    .select({
      tone: contacts.tone,
      styleGroup: contacts.styleGroup,
      consent: contacts.consent,
      unprovenStopAt: contacts.unprovenStopAt,
    })
    .from(contacts)
    .where(sql`${contacts.id} in ${all}`)
    .orderBy(sql`${contacts.id} = ${contactId} desc`, contacts.id);
  const notes = await tx
    .select({ text: contactFacts.text })
    .from(contactFacts)
    .where(sql`${contactFacts.contactId} in ${all}`)
    .orderBy(contactFacts.createdAt, contactFacts.id);
  return {
    notes: notes.map(({ text }) => text),
    address: channels.find(({ tone }) => tone !== null)?.tone ?? null,
    styleGroup: channels[0]?.styleGroup ?? null,
    consentRefused: channels.some(({ consent }) => consent === "refused"),
    // The opt-out named an address, not the person, so it holds for this channel only.
    stopUnproven: (channels[0]?.unprovenStopAt ?? null) !== null,
  };
}

/** Returns the message as the transcript shows it, with recognised texts behind the attachments' names. */
export const transcriptText = ({ text, attachments, words = [] }: Inbound): string =>
  [...attachments.map((name) => `[${name}]`), ...words.map((each) => each.text), text]
    .filter((part) => part !== "")
    .join(" ");

/** Whether the reader of a text sees nothing: it holds only spaces and characters without a width. */
export const isBlank = (text: string): boolean => visibleText(text).trim() === "";

/** The message as it is answered: what was said in a recording is as if it were written; a picture keeps its name before its words. */
export function questionText(inbound: Inbound): string {
  const { media = [], words = [], attachments, text } = inbound;
  const said = words.filter(({ place, text: heard }) => media[place]?.kind === "speech" && heard !== "");
  if (said.length === 0) return transcriptText(inbound);
  const names = [...attachments];
  for (const { place } of said) {
    const at = names.indexOf(media[place]!.name);
    if (at >= 0) names.splice(at, 1);
  }
  return transcriptText({ ...inbound, attachments: names, text });
}

/** Writes the messages into the conversation in the given order, each once, the owner's in his name. */
export async function writeIncoming(
  tx: Tx,
  conversation: ConversationRow,
  arrived: readonly { id: number; inbound: Inbound }[],
): Promise<void> {
  for (const { id, inbound } of arrived) {
    const side = inbound.fromOwner ? ({ role: "assistant", author: "owner" } as const) : ({ role: "user" } as const);
    const [line] = await tx
      .insert(conversationMessages)
      .values({
        orgId: conversation.orgId,
        conversationId: conversation.id,
        ...side,
        content: transcriptText(inbound),
        secrecy: "organization",
        citations: inbound.quoted && !inbound.fromOwner ? ({ quoted: inbound.quoted } satisfies StoredQuestion) : null,
      })
      .returning({ id: conversationMessages.id });
    if (!inbound.fromOwner) {
      await emit(tx, {
        type: "message.received",
        ...webhookIdsOf(conversation),
        secrecy: "organization",
        data: { ...idsOf(conversation), messageId: String(line!.id) },
        texts: { contactName: conversation.participantName, text: transcriptText(inbound) },
      });
    }
    await tx.update(inboxEvents).set({ messageId: line!.id }).where(eq(inboxEvents.id, id));
    if (inbound.media !== undefined)
      await tx.update(mediaFiles).set({ messageId: line!.id, eventId: null }).where(eq(mediaFiles.eventId, id));
  }
  const last = arrived.at(-1);
  if (last === undefined) return;
  const owners = arrived.findLastIndex(({ inbound }) => inbound.fromOwner);
  const theirs = arrived.filter(({ inbound }) => !inbound.fromOwner);
  const newest = theirs
    .map(({ inbound }) => inbound.sentAt)
    .sort()
    .at(-1);
  await tx
    .update(conversations)
    .set({
      status: "active",
      lastMessage: preview(transcriptText(last.inbound)),
      messageCount: sql`${conversations.messageCount} + ${arrived.length}`,
      // A member who answers has read the messages before, so only later ones count as unread.
      unread: owners >= 0 ? arrived.length - 1 - owners : sql`${conversations.unread} + ${arrived.length}`,
      ...(newest === undefined
        ? {}
        : {
            // A new message from the contact ends the snooze.
            snoozedUntil: null,
            replyContext: withKnownIds(conversation, theirs.at(-1)!.inbound.context ?? {}),
            // Uses the platform's clock: a late delivery was written earlier, and the time limits for answering count from then.
            lastInboundAt: sql`greatest(${conversations.lastInboundAt}, least(now(), ${newest}::timestamptz))`,
          }),
      updatedAt: sql`now()`,
    })
    .where(eq(conversations.id, conversation.id));
}

/** The context of the newest message, with every id under which the platform has named the contact (known-conversation.ts). */
function withKnownIds({ replyContext: { ids: known } }: ConversationRow, context: Record<string, unknown>) {
  if (!Array.isArray(known) || !Array.isArray(context.ids)) return context;
  return { ...context, ids: [...new Set([...known, ...context.ids])] };
}

type Told = Pick<ConversationRow, "id" | "orgId" | "twinId" | "platform">;
export const webhookIdsOf = ({ orgId, twinId, id }: Told) => ({ orgId, twinId, conversationId: id });
export const idsOf = ({ id, platform }: Told) => ({ conversationId: id, platform });

const PREVIEW_CHARS = 200;

export function preview(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= PREVIEW_CHARS ? line : `${line.slice(0, PREVIEW_CHARS - 1).trimEnd()}…`;
}

/**
 * Locks the twin before its other rows. Deleting a twin locks in the same order; another order could deadlock.
 * @param strength «no key update» for callers that will change the twin's row: strengthening a lock later may deadlock with readers
 */
export async function lockTwin(
  tx: Tx,
  twinId: string,
  strength: "key share" | "no key update" = "key share",
): Promise<void> {
  await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, twinId)).for(strength);
}

export async function lockTwinOf(tx: Tx, conversationId: string): Promise<void> {
  const [conversation] = await tx
    .select({ twinId: conversations.twinId })
    .from(conversations)
    .where(eq(conversations.id, conversationId));
  if (conversation !== undefined) await lockTwin(tx, conversation.twinId);
}

export async function lockTwinOfIntegration(tx: Tx, integrationId: string): Promise<void> {
  const [place] = await tx
    .select({ twinId: integrations.twinId })
    .from(integrations)
    .where(eq(integrations.id, integrationId));
  if (place !== undefined) await lockTwin(tx, place.twinId);
}
