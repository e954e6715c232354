/** One person on several channels: contacts of a twin that a member has declared the same. */
import { and, desc, eq, ne, or, type SQL, sql } from "drizzle-orm";
import { CANDIDATES_LIMIT, CHANNELS_LIMIT, type PersonChannel } from "#contract/conversations/contact-card.ts";
import type { ContactPlatform } from "#contract/integrations/integrations.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { conversationNotFound, readableBy } from "./access.ts";

type Contact = typeof contacts.$inferSelect;

/** SQL for the ids of all contacts of the contact's person, including the contact. */
export const contactsOfPerson = (contactId: number): SQL => sql`(
  select ${contactId}::bigint
  union select other.id from contacts one join contacts other on other.person_id = one.person_id where one.id = ${contactId})`;

/** @throws Problem 404, also for a chat without a contact */
export async function contactOfConversation(tx: Tx, caller: Caller, conversationId: string): Promise<Contact> {
  const [row] = await tx
    .select({ contact: contacts })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(and(eq(conversations.id, conversationId), readableBy(caller)));
  if (row === undefined) throw conversationNotFound();
  return row.contact;
}

/** Number of conversations that are read for found contacts: a contact seldom has several. */
const CONVERSATIONS_READ = 50;

/**
 * Returns contacts with their latest conversation.
 * @param first sort key before the time
 */
async function channelsWhere(tx: Tx, which: SQL | undefined, limit: number, first?: SQL): Promise<PersonChannel[]> {
  const rows = await tx
    .select({ contact: contacts, conversationId: conversations.id, updatedAt: conversations.updatedAt })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(which)
    .orderBy(...(first === undefined ? [] : [first]), desc(conversations.updatedAt), desc(conversations.id))
    .limit(CONVERSATIONS_READ);
  const latest = rows.filter(({ contact }, at) => rows.findIndex((row) => row.contact.id === contact.id) === at);
  return latest.slice(0, limit).map(({ contact: { name, platform, handle }, conversationId, updatedAt }) => ({
    conversationId,
    name,
    platform: platform as ContactPlatform,
    handle,
    lastMessageTime: updatedAt.toISOString(),
  }));
}

export const otherChannels = (tx: Tx, { id, personId }: Contact): Promise<PersonChannel[]> =>
  personId === null
    ? Promise.resolve([])
    : channelsWhere(tx, and(eq(contacts.personId, personId), ne(contacts.id, id)), CHANNELS_LIMIT);

/**
 * Returns contacts of the same twin that may be the same person, those with the same name first.
 * @param query part of a name or user name; empty: any
 * @throws Problem 404
 */
export function personCandidates(
  db: Database,
  caller: Caller,
  conversationId: string,
  query: string,
): Promise<PersonChannel[]> {
  return asTenant(db, caller, async (tx) => {
    const contact = await contactOfConversation(tx, caller, conversationId);
    const wanted = `%${query.replace(/[\\%_]/g, "\\$&")}%`;
    return channelsWhere(
      tx,
      and(
        eq(contacts.twinId, contact.twinId),
        ne(contacts.id, contact.id),
        contact.personId === null ? undefined : sql`${contacts.personId} is distinct from ${contact.personId}`,
        query === ""
          ? undefined
          : or(sql`${contacts.name} ilike ${wanted}`, sql`coalesce(${contacts.handle}, '') ilike ${wanted}`),
      ),
      CANDIDATES_LIMIT,
      sql`lower(${contacts.name}) = lower(${contact.name}) desc`,
    );
  });
}
