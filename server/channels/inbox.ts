/** What comes in is stored once, before the platform is told that it came. */
import { and, eq, sql } from "drizzle-orm";
import { asTenant, type Database, sqlState, type Tenant, type Tx } from "#server/db/database.ts";
import { conversations, inboxEvents, integrations } from "#server/db/schema.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { quietMs } from "./burst.ts";
import { amendInbound, isLent, noteLending } from "./business.ts";
import type { Cursor, Inbound, Notice } from "./channel.ts";
import { lockTwinOfIntegration } from "./contact-conversation.ts";
import { ownerWroteElsewhere } from "./owner-words.ts";

/** An integration and in whose name it works: the twin's owner. */
export interface ReceivingIntegration extends Tenant {
  id: string;
}

export type Stored = "new" | "duplicate" | "gone";

interface InboxDeps {
  db: Database;
  jobs: Jobs;
}

/**
 * One transaction: the event, the cursor behind it and the job that answers. With it committed the platform may forget the event.
 * @param answerAt when the job answers, where somebody else is about to: it stands in when that fails
 * @param cursor with the lease's holder: a process that has lost its lease moves no cursor
 */
export async function storeInbound(
  { db, jobs }: InboxDeps,
  integration: ReceivingIntegration,
  inbound: Inbound | null,
  cursor?: { value: Cursor; leaseOwner: string },
  answerAt?: Date,
): Promise<Stored> {
  const { id, organizationId, userId } = integration;
  try {
    return await asTenant(db, integration, async (tx) => {
      // Before anything else, as everywhere: the twin may be about to be deleted.
      if (inbound?.fromOwner) await lockTwinOfIntegration(tx, id);
      const lastEvent = inbound === null ? {} : { lastEventAt: sql`now()` };
      if (cursor !== undefined) {
        await tx
          .update(integrations)
          .set({ cursor: cursor.value, ...lastEvent })
          .where(and(eq(integrations.id, id), eq(integrations.leaseOwner, cursor.leaseOwner)));
      } else if (inbound !== null) await tx.update(integrations).set(lastEvent).where(eq(integrations.id, id));
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
    // Foreign key: the integration went meanwhile, and nobody waits for an answer of it.
    if (sqlState(error) === "23503") return "gone";
    throw error;
  }
}

/** One transaction as well: what is no message, and the cursor behind it. Told again, it changes nothing. */
export async function storeNotice(
  db: Database,
  integration: ReceivingIntegration,
  notice: Notice,
  cursor?: { value: Cursor; leaseOwner: string },
): Promise<void> {
  const { id } = integration;
  await asTenant(db, integration, async (tx) => {
    await lockTwinOfIntegration(tx, id);
    if (cursor !== undefined) {
      await tx
        .update(integrations)
        .set({ cursor: cursor.value })
        .where(and(eq(integrations.id, id), eq(integrations.leaseOwner, cursor.leaseOwner)));
    }
    if ("lending" in notice) await noteLending(tx, integration, notice);
    else await amendInbound(tx, id, notice);
  });
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
