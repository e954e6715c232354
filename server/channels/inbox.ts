/** What comes in is stored once, before the platform is told that it came. */
import { and, eq, sql } from "drizzle-orm";
import { asTenant, type Database, sqlState, type Tenant, type Tx } from "#server/db/database.ts";
import { conversations, inboxEvents, integrations } from "#server/db/schema.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { quietMs } from "./burst.ts";
import { amendInbound, isLent, noteLending } from "./business.ts";
import type { Amendment, Cursor, Inbound, Lending } from "./channel.ts";
import { lockTwinOfIntegration } from "./contact-conversation.ts";
import { findOwnerChat, isLinkCode } from "./owner-chat.ts";
import { ownerWroteElsewhere } from "./owner-words.ts";

/** An integration and in whose name it works: the twin's owner. */
export interface ReceivingIntegration extends Tenant {
  id: string;
}

/** `owner`: said by a member in his own chat with the bot, and not stored. */
export type Stored = "new" | "duplicate" | "gone" | "owner";

/** Where receiving goes on, and who may say so: a process that has lost its lease moves no cursor. */
export interface LeasedCursor {
  value: Cursor;
  leaseOwner: string;
}

interface InboxDeps {
  db: Database;
  jobs: Jobs;
}

/**
 * One transaction: the event, the cursor behind it and the job that answers. With it committed the platform may forget the event.
 * @param answerAt when the job answers, where somebody else is about to: it stands in when that fails
 */
export async function storeInbound(
  { db, jobs }: InboxDeps,
  integration: ReceivingIntegration,
  inbound: Inbound | null,
  cursor?: LeasedCursor,
  answerAt?: Date,
): Promise<Stored> {
  const { id, organizationId, userId } = integration;
  try {
    return await asTenant(db, integration, async (tx) => {
      if (inbound?.toBot !== undefined && (await isOwnersWord(tx, id, inbound))) return "owner";
      // Before anything else, as everywhere: the twin may be about to be deleted.
      if (inbound?.fromOwner) await lockTwinOfIntegration(tx, id);
      const lastEvent = inbound === null ? {} : { lastEventAt: sql`now()` };
      if (cursor !== undefined) await moveCursor(tx, id, cursor, lastEvent);
      else if (inbound !== null) await tx.update(integrations).set(lastEvent).where(eq(integrations.id, id));
      if (inbound?.lentBy !== undefined && !(await isLent(tx, id, inbound.lentBy))) return "duplicate";
      if (inbound === null || (inbound.joinsOnly && !(await isKnown(tx, id, inbound.conversation)))) return "duplicate";
      const [row] = await tx
        .insert(inboxEvents)
        .values({
          orgId: organizationId,
          integrationId: id,
          eventId: inbound.eventId,
          conversationKey: inbound.conversation,
          position: inbound.position,
          inbound,
        })
        .onConflictDoNothing()
        .returning({ id: inboxEvents.id });
      if (row === undefined) return "duplicate";
      if (inbound.fromOwner) await ownerWroteElsewhere(tx, id, inbound);
      const startAfter = answerAt ?? new Date(Date.now() + quietMs([{ text: inbound.text, at: Date.now() }]));
      const job = { organizationId, userId, integrationId: id, conversationKey: inbound.conversation };
      await jobs.enqueue(tx, "answer-inbox", job, startAfter);
      return "new";
    });
  } catch (error) {
    return unlessGone(error);
  }
}

/** Foreign key: the integration went meanwhile, and nobody waits for an answer of it. */
function unlessGone(error: unknown): "gone" {
  if (sqlState(error) === "23503") return "gone";
  throw error;
}

/** Only the lease's holder moves it. */
async function moveCursor(tx: Tx, id: string, { value, leaseOwner }: LeasedCursor, more: object = {}): Promise<void> {
  await tx
    .update(integrations)
    .set({ cursor: value, ...more })
    .where(and(eq(integrations.id, id), eq(integrations.leaseOwner, leaseOwner)));
}

/** Whether something is known to have been taken in. */
export async function wasTaken(db: Database, integration: ReceivingIntegration, eventId: string): Promise<boolean> {
  const [row] = await asTenant(db, integration, (tx) =>
    tx
      .select({ id: inboxEvents.id })
      .from(inboxEvents)
      .where(and(eq(inboxEvents.integrationId, integration.id), eq(inboxEvents.eventId, eventId))),
  );
  return row !== undefined;
}

/** What its owner has done with the bot is over: nothing of it is kept but that it came. */
export async function storeDone(
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

/** One transaction as well: what is no message, and the cursor behind it. Told again, it changes nothing. */
export async function storeNotice(
  db: Database,
  integration: ReceivingIntegration,
  notice: Lending | Amendment,
  cursor?: LeasedCursor,
): Promise<void> {
  const { id } = integration;
  await asTenant(db, integration, async (tx) => {
    await lockTwinOfIntegration(tx, id);
    if (cursor !== undefined) await moveCursor(tx, id, cursor);
    if ("lending" in notice) await noteLending(tx, integration, notice);
    else await amendInbound(tx, id, notice);
  });
}

async function isOwnersWord(tx: Tx, id: string, { conversation, toBot }: Inbound): Promise<boolean> {
  if (isLinkCode(toBot?.code)) return true;
  return (await findOwnerChat(tx, id, conversation)) !== null;
}

/** Whether something has come in there before. */
async function isKnown(tx: Tx, integrationId: string, conversationKey: string): Promise<boolean> {
  const [event] = await tx
    .select({ id: inboxEvents.id })
    .from(inboxEvents)
    .where(and(eq(inboxEvents.integrationId, integrationId), eq(inboxEvents.conversationKey, conversationKey)))
    .limit(1);
  if (event !== undefined) return true;
  const [talk] = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.integrationId, integrationId), eq(conversations.externalId, conversationKey)));
  return talk !== undefined;
}
