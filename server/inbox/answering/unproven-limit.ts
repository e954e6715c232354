/**
 * Limits automatic replies to unproven addresses: an attacker who forges senders must not make the twin flood third parties. A reply that
 * refers to our answer proves its receipt, so that answer no longer counts.
 */
import { and, eq, gte, sql } from "drizzle-orm";
import type { ConversationRow } from "#server/inbox/conversation-control/contact-conversation.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import type { Burst } from "./load-burst.ts";

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** Maximum automatic answers of one mailbox to unproven senders, in sliding windows. */
export const UNPROVEN_LIMITS = {
  addressDay: 3,
  domainHour: 10,
  domainDay: 40,
  mailboxHour: 20,
  mailboxDay: 100,
} as const;

/**
 * Counts under a lock, so that simultaneous decisions wait until the transaction ends.
 * @returns why nothing may be sent there automatically, a Russian sentence for the owner; null: sending is allowed, with
 * `outbox.toUnproven`
 */
export async function unprovenObstacle(
  tx: Tx,
  { contactId, integrationId }: Pick<ConversationRow, "contactId" | "integrationId">,
): Promise<string | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`unproven ${integrationId}`}, 0))`);
  const now = Date.now();
  const inHour = gte(outbox.createdAt, new Date(now - HOUR_MS));
  const domain = sql`split_part(${contacts.externalId}, '@', 2)`;
  const sameDomain = sql`${domain} = (select split_part(own.external_id, '@', 2) from contacts own where own.id = ${contactId})`;
  const [sent] = await tx
    .select({
      address: countWhere(eq(contacts.id, contactId!)),
      domainHour: countWhere(and(sameDomain, inHour)!),
      domainDay: countWhere(sameDomain),
      mailboxHour: countWhere(inHour),
      mailboxDay: countWhere(sql`true`),
    })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(
      and(eq(outbox.integrationId, integrationId!), outbox.toUnproven, gte(outbox.createdAt, new Date(now - DAY_MS))),
    );
  const { address, domainHour, domainDay, mailboxHour, mailboxDay } = sent!;
  if (address >= UNPROVEN_LIMITS.addressDay)
    return "Отправитель письма не подтверждён, а этому адресу за сутки уже отвечали: решите сами";
  if (domainHour >= UNPROVEN_LIMITS.domainHour || domainDay >= UNPROVEN_LIMITS.domainDay)
    return "Отправитель письма не подтверждён, а на почту этого домена уже ушло много ответов: решите сами";
  if (mailboxHour >= UNPROVEN_LIMITS.mailboxHour || mailboxDay >= UNPROVEN_LIMITS.mailboxDay)
    return "Отправитель письма не подтверждён, а новых отправителей сейчас слишком много: решите сами";
  return null;
}

/** Returns whether the sender's proof and the limits allow an automatic reply to the burst. */
export const mayBeSent = async (tx: Tx, { sender, conversation }: Pick<Burst, "sender" | "conversation">) =>
  sender === "proven" || (await unprovenObstacle(tx, conversation)) === null;

const countWhere = (condition: ReturnType<typeof sql>) => sql<number>`(count(*) filter (where ${condition}))::int`;
