/** Stores incoming events once, before the platform receives the acknowledgement. */
import { and, eq, sql } from "drizzle-orm";
import { ownerWroteElsewhere } from "#server/inbox/approvals/owner-messages.ts";
import type {
  BusinessConnectionChange,
  ContextChange,
  Cursor,
  Inbound,
  MessageChange,
} from "#server/inbox/channel-protocol/channel.ts";
import { lockTwinOfIntegration } from "#server/inbox/conversation-control/contact-conversation.ts";
import { quietMs } from "#server/inbox/conversation-control/debounce.ts";
import { inKnownConversation } from "#server/inbox/conversation-control/known-conversation.ts";
import { asTenant, type Database, sqlState, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, inboxEvents } from "#server/platform/db/schema/conversations.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { amendMessages } from "./amend-messages.ts";
import { createBatcher } from "./batcher.ts";
import { isBusinessConnected, noteBusinessConnection } from "./business-connection.ts";
import { isLinkCode, ownerChatsAmong } from "./chats-of-owners.ts";
import { keepReadableMedia, kindsToRead, storeIncomingMedia } from "./incoming-media.ts";
import type { ReceivingIntegration } from "./receiving-integration.ts";

/** "owner": a member's message in his own chat with the bot, which is not stored. */
type StoreResult = "new" | "duplicate" | "gone" | "owner";

/**
 * Milliseconds that a handled event is kept to recognise its repetition. Platforms repeat for a week at most. Mailboxes and user accounts
 * have a cursor instead.
 */
export const INBOX_KEPT_MS = 30 * 24 * 3600_000;

/** A cursor with its lease: a process that has lost the lease cannot move the cursor. */
export interface LeasedCursor {
  value: Cursor;
  leaseOwner: string;
}

interface InboxDeps {
  db: Database;
  jobs: Jobs;
}

/**
 * Stores in one transaction the event, the cursor after it and the job that answers. After the commit the platform may forget the event.
 * @param answerAt when the job runs if another caller is about to answer; it runs in case that fails
 */
export async function storeInbound(
  deps: InboxDeps,
  integration: ReceivingIntegration,
  inbound: Inbound | null,
  cursor?: LeasedCursor,
  answerAt?: Date,
): Promise<StoreResult> {
  if (inbound !== null) return (await storeInbounds(deps, integration, [inbound], cursor, answerAt))[0]!;
  if (cursor !== undefined) await storeCursor(deps.db, integration, cursor);
  return "duplicate";
}

async function storeInbounds(
  deps: InboxDeps,
  integration: ReceivingIntegration,
  inbounds: readonly Inbound[],
  cursor?: LeasedCursor,
  answerAt?: Date,
): Promise<StoreResult[]> {
  try {
    return await storeAll(deps, integration, inbounds, cursor, answerAt);
  } catch (error) {
    const gone = unlessGone(error);
    return inbounds.map(() => gone);
  }
}

interface Delivered {
  integration: ReceivingIntegration;
  inbounds: readonly Inbound[];
}

export type StoreDelivery = (integration: ReceivingIntegration, inbounds: readonly Inbound[]) => Promise<StoreResult[]>;

/**
 * Stores what platforms deliver. Simultaneous deliveries of one integration would only wait for each other's lock, so they share the next
 * transaction. If it fails, each is stored separately.
 */
export function storeDeliveries(deps: InboxDeps): StoreDelivery {
  const store = createBatcher(async (deliveries: readonly Delivered[]) => {
    const [{ integration, inbounds }, ...more] = deliveries as [Delivered, ...Delivered[]];
    if (more.length === 0) return [await storeInbounds(deps, integration, inbounds)];
    const stored = await storeAll(
      deps,
      integration,
      deliveries.flatMap((delivered) => delivered.inbounds),
    );
    return deliveries.map((delivered) => stored.splice(0, delivered.inbounds.length));
  });
  return (integration, inbounds) => store(`${integration.id} ${integration.userId}`, { integration, inbounds });
}

/** @throws Error, also if the integration was deleted */
function storeAll(
  { db, jobs }: InboxDeps,
  integration: ReceivingIntegration,
  given: readonly Inbound[],
  cursor?: LeasedCursor,
  answerAt?: Date,
): Promise<StoreResult[]> {
  const { id, organizationId, userId } = integration;
  return asTenant(db, integration, async (tx) => {
    const inbounds: Inbound[] = [];
    for (const each of given) inbounds.push(await inKnownConversation(tx, id, each));
    const owners = await ownersWords(tx, id, inbounds);
    const others = inbounds.filter((inbound) => !owners.has(inbound));
    if (others.length === 0) return inbounds.map(() => "owner");
    // Every transaction locks the twin first, because the twin may be about to be deleted.
    if (others.some(({ fromOwner }) => fromOwner)) await lockTwinOfIntegration(tx, id);
    const lastEvent = { lastEventAt: sql`now()` };
    // From here on, deliveries of one integration take turns.
    if (cursor !== undefined) await moveCursor(tx, id, cursor, lastEvent);
    else await tx.update(integrations).set(lastEvent).where(eq(integrations.id, id));
    const added = await insertEvents(tx, jobs, integration, others);
    for (const inbound of added) if (inbound.fromOwner) await ownerWroteElsewhere(tx, id, inbound);
    const waiting = [...Map.groupBy(added, ({ conversation }) => conversation)].map(([conversationKey, [first]]) => ({
      data: { organizationId, userId, integrationId: id, conversationKey },
      startAfter: answerAt ?? new Date(Date.now() + quietMs([{ text: first!.text, at: Date.now() }])),
    }));
    await jobs.enqueueAll(tx, "process-inbox", waiting);
    return inbounds.map((inbound) => (owners.has(inbound) ? "owner" : added.has(inbound) ? "new" : "duplicate"));
  });
}

/** Stores the events that are for us and new. @returns these events in order */
async function insertEvents(
  tx: Tx,
  jobs: Jobs,
  integration: ReceivingIntegration,
  inbounds: readonly Inbound[],
): Promise<Set<Inbound>> {
  const { id, organizationId: orgId } = integration;
  const ours: Inbound[] = [];
  for (const inbound of inbounds) {
    const { lentBy, joinsOnly, conversation } = inbound;
    if (lentBy !== undefined && !(await isBusinessConnected(tx, id, lentBy))) continue;
    const joins = !joinsOnly || ours.some((before) => before.conversation === conversation);
    if (joins || (await isKnown(tx, id, conversation))) ours.push(inbound);
  }
  if (ours.length === 0) return new Set();
  const kinds = await kindsToRead(tx, orgId, ours);
  const rows = await tx
    .insert(inboxEvents)
    .values(
      ours.map((inbound) => ({
        orgId,
        integrationId: id,
        eventId: inbound.eventId,
        conversationKey: inbound.conversation,
        position: inbound.position,
        inbound: keepReadableMedia(inbound, kinds),
      })),
    )
    .onConflictDoNothing()
    .returning({ id: inboxEvents.id, eventId: inboxEvents.eventId, inbound: inboxEvents.inbound });
  const withMedia = rows.map((row) => ({ eventId: row.id, inbound: row.inbound as Inbound }));
  await storeIncomingMedia(tx, jobs, integration, withMedia);
  const stored = new Set(rows.map(({ eventId }) => eventId));
  // An event that occurs twice in a delivery is stored once.
  return new Set(ours.filter(({ eventId }) => stored.delete(eventId)));
}

/** Returns messages of members in their own chats with the bot, and messages that start such a chat. */
async function ownersWords(tx: Tx, id: string, inbounds: readonly Inbound[]): Promise<Set<Inbound>> {
  const toBot = inbounds.filter((inbound) => inbound.toBot !== undefined);
  if (toBot.length === 0) return new Set();
  const chats = await ownerChatsAmong(
    tx,
    id,
    toBot.map(({ conversation }) => conversation),
  );
  return new Set(toBot.filter((inbound) => isLinkCode(inbound.toBot?.code) || chats.has(inbound.conversation)));
}

/** 23503 is a foreign key violation: the integration was deleted meanwhile, so no answer is needed. */
function unlessGone(error: unknown): "gone" {
  if (sqlState(error) === "23503") return "gone";
  throw error;
}

export const storeCursor = (db: Database, integration: ReceivingIntegration, cursor: LeasedCursor): Promise<void> =>
  asTenant(db, integration, (tx) => moveCursor(tx, integration.id, cursor));

/** Moves the cursor if the lease is still held. */
export async function moveCursor(
  tx: Tx,
  id: string,
  { value, leaseOwner }: LeasedCursor,
  more: object = {},
): Promise<void> {
  await tx
    .update(integrations)
    .set({ cursor: value, ...more })
    .where(and(eq(integrations.id, id), eq(integrations.leaseOwner, leaseOwner)));
}

export async function wasEventStored(
  db: Database,
  integration: ReceivingIntegration,
  eventId: string,
): Promise<boolean> {
  const [row] = await asTenant(db, integration, (tx) =>
    tx
      .select({ id: inboxEvents.id })
      .from(inboxEvents)
      .where(and(eq(inboxEvents.integrationId, integration.id), eq(inboxEvents.eventId, eventId))),
  );
  return row !== undefined;
}

/** Records that an owner's action with the bot is done, without its content. */
export async function storeCompletedAction(
  db: Database,
  integration: ReceivingIntegration,
  { eventId, conversation }: Pick<Inbound, "eventId" | "conversation">,
  cursor?: LeasedCursor,
): Promise<void> {
  const { id, organizationId: orgId } = integration;
  await asTenant(db, integration, async (tx) => {
    if (cursor !== undefined) await moveCursor(tx, id, cursor);
    await tx
      .insert(inboxEvents)
      .values({ orgId, integrationId: id, eventId, conversationKey: conversation, position: 0, status: "done" })
      .onConflictDoNothing();
  }).catch(unlessGone);
}

/**
 * Stores a notice and the cursor after it in one transaction. A repeated notice changes nothing.
 * @returns the message that an edit has brought, when the edited message has never arrived; the cursor then stays before it
 */
export async function storeNotice(
  { db, jobs }: InboxDeps,
  integration: ReceivingIntegration,
  notice: BusinessConnectionChange | MessageChange | ContextChange,
  cursor?: LeasedCursor,
): Promise<Inbound | null> {
  const { id } = integration;
  return asTenant(db, integration, async (tx) => {
    await lockTwinOfIntegration(tx, id);
    // Senders lock the integration before the conversation.
    if (cursor !== undefined)
      await tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.id, id)).for("no key update");
    if ("messages" in notice) {
      const { conversation, instead } = notice;
      const isKnown = await amendMessages(tx, jobs, integration, await inKnownConversation(tx, id, notice));
      // What a member writes in his own chat with the bot is not stored, so his edits are of unknown messages.
      if (!isKnown && instead !== undefined && !(await ownerChatsAmong(tx, id, [conversation])).has(conversation))
        return instead;
    } else if ("connection" in notice) await noteBusinessConnection(tx, integration, notice);
    else await changeContext(tx, id, notice);
    if (cursor !== undefined) await moveCursor(tx, id, cursor);
    return null;
  });
}

async function changeContext(tx: Tx, integrationId: string, { conversation, context }: ContextChange): Promise<void> {
  await tx
    .update(conversations)
    .set({ replyContext: sql`${conversations.replyContext} || ${JSON.stringify(context)}::jsonb` })
    .where(and(eq(conversations.integrationId, integrationId), eq(conversations.externalId, conversation)));
}

/** Returns whether this conversation has any earlier event. */
async function isKnown(tx: Tx, integrationId: string, conversationKey: string): Promise<boolean> {
  const [event] = await tx
    .select({ id: inboxEvents.id })
    .from(inboxEvents)
    .where(and(eq(inboxEvents.integrationId, integrationId), eq(inboxEvents.conversationKey, conversationKey)))
    .limit(1);
  if (event !== undefined) return true;
  const [conversation] = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.integrationId, integrationId), eq(conversations.externalId, conversationKey)));
  return conversation !== undefined;
}
