/** Deletes data that may have messages in flight. After the deletion is acknowledged, no message of that data is sent. */
import { setTimeout as pause } from "node:timers/promises";
import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { asTenant, type Database, isLostRace, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { integrations, ownerChats } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";
import { webhookDeliveries, webhooks } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

/** A deletion waits this long for a send to end before it asks the send to stop. */
const ASK_TO_STOP_AFTER_MS = 1_000;
const STOP_CHECK_MS = 500;
/** A send that has not ended after this time belongs to a crashed process. */
const DEAD_MS = 8_000;
const RETRY_DELAY_MS = 20;
/**
 * Maximum number of attempts: a deletion locks so many rows that it may deadlock with a job, and PostgreSQL then aborts one transaction.
 */
const DEADLOCK_RETRIES = 5;

/** The object that is deleted while messages of it may be in flight. */
export type Sender =
  | { twinId: string }
  | { integrationId: string }
  | { webhookId: string }
  | { contactId: number }
  | { conversationId: string };

/**
 * Deletes in a transaction during which nothing of the data is being sent. New sends cannot begin: the twin or the integration is paused,
 * or the twin is silent in the conversation. A transaction that PostgreSQL rolls back is retried.
 * @param claim checks the permission and takes the locks that prevent sends from beginning (inbox/outbox/outbox.ts)
 * @param begin `asTenantOfPlatform` for a deletion that also changes platform rows
 */
export async function drainThenDelete<T>(
  db: Database,
  tenant: Tenant,
  claim: (tx: Tx) => Promise<Sender | readonly Sender[]>,
  remove: (tx: Tx) => Promise<T>,
  begin: typeof asTenant = asTenant,
): Promise<T> {
  const began = Date.now();
  for (let lost = 0; ; ) {
    const attempt = await begin(db, tenant, async (tx) => {
      const senders = [await claim(tx)].flat();
      const waited = Date.now() - began;
      if (waited >= DEAD_MS || !(await isAnySending(tx, senders))) return { removed: await remove(tx) };
      for (const sender of senders) {
        await pauseSender(tx, sender);
        if (waited >= ASK_TO_STOP_AFTER_MS) await askToEnd(tx, sender);
      }
      return null;
    }).catch((error: unknown) => {
      if (!isLostRace(error) || ++lost >= DEADLOCK_RETRIES) throw error;
      return null;
    });
    if (attempt !== null) return attempt.removed;
    await pause(RETRY_DELAY_MS);
  }
}

async function isAnySending(tx: Tx, senders: readonly Sender[]): Promise<boolean> {
  for (const sender of senders) if (await isSending(tx, sender)) return true;
  return false;
}

async function isSending(tx: Tx, sender: Sender): Promise<boolean> {
  const answers = tx.select({ id: outbox.id }).from(outbox).where(answersOf(sender));
  const notices = tx.select({ id: ownerNotices.id }).from(ownerNotices).where(noticesOf(sender));
  const told = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(isNotNull(webhookDeliveries.sendingSince), deliveriesOf(sender)));
  return (await answers.union(notices).union(told).limit(1)).length > 0;
}

const conversationsWhere = (which: SQL) => sql`(select ${conversations.id} from ${conversations} where ${which})`;

function answersOf(sender: Sender): SQL | undefined {
  const { conversationId } = outbox;
  const own =
    "twinId" in sender
      ? sql`${conversationId} in ${conversationsWhere(eq(conversations.twinId, sender.twinId))}`
      : "integrationId" in sender
        ? eq(outbox.integrationId, sender.integrationId)
        : "contactId" in sender
          ? sql`${conversationId} in ${conversationsWhere(eq(conversations.contactId, sender.contactId))}`
          : "webhookId" in sender
            ? sql`false`
            : eq(conversationId, sender.conversationId);
  return and(eq(outbox.state, "sending"), own);
}

/** Returns the condition for the owner's notices of drafts. When only a conversation is deleted, its notices stay and say so. */
function noticesOf(sender: Sender): SQL | undefined {
  const own =
    "twinId" in sender
      ? eq(integrations.twinId, sender.twinId)
      : "integrationId" in sender
        ? eq(integrations.id, sender.integrationId)
        : sql`false`;
  const chats = sql`select ${ownerChats.id} from ${ownerChats} join ${integrations}
    on ${integrations.id} = ${ownerChats.integrationId} where ${own}`;
  return and(isNotNull(ownerNotices.sendingSince), sql`${ownerNotices.ownerChatId} in (${chats})`);
}

/** Returns the condition for webhook deliveries of the data. An integration's conversations outlive it, and so do their deliveries. */
function deliveriesOf(sender: Sender): SQL {
  const { conversationId, webhookId } = webhookDeliveries;
  if ("twinId" in sender)
    return sql`${webhookId} in (select ${webhooks.id} from ${webhooks} where ${webhooks.twinId} = ${sender.twinId})`;
  if ("integrationId" in sender) return sql`false`;
  if ("webhookId" in sender) return eq(webhookId, sender.webhookId);
  if ("contactId" in sender)
    return sql`${conversationId} in ${conversationsWhere(eq(conversations.contactId, sender.contactId))}`;
  return eq(conversationId, sender.conversationId);
}

async function pauseSender(tx: Tx, sender: Sender): Promise<void> {
  // The pause ends after a while, so a deletion that fails does not hold messages back permanently.
  const until = new Date(Date.now() + 2 * DEAD_MS).toISOString();
  await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`greatest(${webhookDeliveries.nextAttemptAt}, ${until}::timestamptz)` })
    .where(and(eq(webhookDeliveries.state, "pending"), deliveriesOf(sender)));
  if ("twinId" in sender) {
    await tx.update(twins).set({ isActive: false }).where(eq(twins.id, sender.twinId));
  } else if ("integrationId" in sender) {
    await tx.update(integrations).set({ status: "inactive" }).where(eq(integrations.id, sender.integrationId));
  } else if (!("webhookId" in sender)) {
    const which =
      "contactId" in sender
        ? eq(conversations.contactId, sender.contactId)
        : eq(conversations.id, sender.conversationId);
    await tx
      .update(conversations)
      .set({ pausedUntil: sql`greatest(${conversations.pausedUntil}, ${until}::timestamptz)` })
      .where(which);
  }
}

async function askToEnd(tx: Tx, sender: Sender): Promise<void> {
  await tx.update(outbox).set({ endAsked: true }).where(answersOf(sender));
  await tx.update(ownerNotices).set({ endAsked: true }).where(noticesOf(sender));
  await tx
    .update(webhookDeliveries)
    .set({ endAsked: true })
    .where(and(isNotNull(webhookDeliveries.sendingSince), deliveriesOf(sender)));
}

/**
 * Runs a send that a deletion in any process may stop.
 * @param wasAsked reads `end_asked` of the row that is being sent; true also when the row was deleted
 */
export async function sendUntilAsked<T>(
  wasAsked: () => Promise<boolean>,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const look = async () => {
    if (await wasAsked()) ending.abort();
  };
  // If the database is briefly unavailable, the next tick checks again.
  const timer = setInterval(() => void look().catch(() => {}), STOP_CHECK_MS);
  try {
    return await send(ending.signal);
  } finally {
    clearInterval(timer);
  }
}
