import { and, asc, count, eq, inArray, isNull, sql } from "drizzle-orm";
import {
  type ContactCard,
  type ContactFact,
  type ContactUpdate,
  FACTS_LIMIT,
  type FactInput,
} from "#contract/conversations/contact-card.ts";
import type { ContactPlatform } from "#contract/integrations/integrations.ts";
import { canChange } from "#server/accounts/organizations/access.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { contactFacts, contacts } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { canChangeConversation, conversationNotFound, readableBy } from "../access.ts";
import { namesOf } from "../member-names.ts";
import { contactsOfPerson, otherChannels } from "../person.ts";
import { mergePersons, splitPerson } from "./merge-persons.ts";

/** @throws Problem 404, also for a chat without a contact */
export async function contactCard(db: Database, caller: Caller, conversationId: string): Promise<ContactCard> {
  const { conversation, contact, integrationAutonomy, facts, channels, since } = await asTenant(
    db,
    caller,
    async (tx) => {
      const place = await placeOf(tx, caller, conversationId);
      const facts = await tx
        .select()
        .from(contactFacts)
        .where(ofPerson(place.contact.id))
        .orderBy(asc(contactFacts.createdAt), asc(contactFacts.id));
      const { contact } = place;
      return {
        ...place,
        facts,
        channels: await otherChannels(tx, contact),
        since: await knownSince(tx, caller, contact),
      };
    },
  );
  const { consent, consentAt, consentBy } = contact;
  const names = await namesOf(db, consentBy === null ? [] : [consentBy]);
  return {
    conversationId,
    name: contact.name,
    platform: conversation.platform as ContactPlatform,
    handle: contact.handle,
    since: since.toISOString(),
    consent:
      consent === null || consentAt === null
        ? null
        : { state: consent, at: consentAt.toISOString(), by: names.get(consentBy ?? "") ?? null },
    channels,
    facts: facts.map(toFact),
    tone: contact.tone,
    autonomy: conversation.autonomy,
    integrationAutonomy,
    optedOutAt: conversation.optedOutAt?.toISOString() ?? null,
    disclosedAt: conversation.disclosedAt?.toISOString() ?? null,
  };
}

/**
 * Returns when the person's first message was written, which may be older than the contact's row. The imported history is its owner's
 * alone, so colleagues get null.
 */
async function knownSince(tx: Tx, { userId }: Caller, { id, createdAt }: typeof contacts.$inferSelect): Promise<Date> {
  const { rows } = await tx.execute(sql`
    select least(
      (select min(created_at) from contacts where id in ${contactsOfPerson(id)}),
      (select min(m.sent_at) from messages m join twins t on t.id = m.twin_id and t.owner_id = ${userId}
        where m.contact_id in ${contactsOfPerson(id)}),
      (select min(first.created_at) from conversations c
        cross join lateral (select m.created_at from conversation_messages m
          where m.conversation_id = c.id order by m.id limit 1) first
        where c.contact_id in ${contactsOfPerson(id)})) as since`);
  const since = rows[0]?.since;
  return since === null || since === undefined ? createdAt : new Date(since as string | Date);
}

const ofPerson = (contactId: number) => sql`${contactFacts.contactId} in ${contactsOfPerson(contactId)}`;

async function placeOf(tx: Tx, caller: Caller, conversationId: string) {
  const [row] = await tx
    .select({ conversation: conversations, contact: contacts, integrationAutonomy: integrations.autonomy })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .leftJoin(integrations, eq(integrations.id, conversations.integrationId))
    .where(and(eq(conversations.id, conversationId), readableBy(caller)));
  if (row === undefined) throw conversationNotFound();
  return row;
}

/** @throws Problem 404, 403 */
export async function updateContact(
  db: Database,
  caller: Caller,
  conversationId: string,
  { name, consent, tone, autonomy }: ContactUpdate,
): Promise<ContactCard> {
  await asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, conversationId);
    const { contact } = await placeOf(tx, caller, conversationId);
    const noted = consent === null ? null : new Date();
    await tx
      .update(contacts)
      .set({
        ...(name === undefined ? {} : { name }),
        ...(tone === undefined ? {} : { tone }),
        ...(consent === undefined || consent === contact.consent
          ? {}
          : { consent, consentAt: noted, consentBy: noted === null ? null : caller.userId }),
        // A column is always set, because SQL rejects an UPDATE without columns.
        platform: contact.platform,
      })
      .where(eq(contacts.id, contact.id));
    // Each of the contact's conversations stores a copy of the name.
    if (name !== undefined) {
      await tx.update(conversations).set({ participantName: name }).where(eq(conversations.contactId, contact.id));
    }
    if (consent === "refused") await silenceTwin(tx, contact.id);
    if (autonomy !== undefined) {
      await tx.update(conversations).set({ autonomy }).where(eq(conversations.id, conversationId));
    }
  });
  return contactCard(db, caller, conversationId);
}

/** @throws Problem as `mergePersons` */
export async function mergeContact(
  { db, jobs }: { db: Database; jobs: Pick<Jobs, "enqueue"> },
  caller: Caller,
  conversationId: string,
  otherId: string,
): Promise<ContactCard> {
  await asTenant(db, caller, async (tx) => {
    await mergePersons(tx, jobs, caller, conversationId, otherId);
    const { contact } = await placeOf(tx, caller, conversationId);
    const [refusal] = await tx
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(sql`${contacts.id} in ${contactsOfPerson(contact.id)}`, eq(contacts.consent, "refused")))
      .limit(1);
    if (refusal !== undefined) await silenceTwin(tx, contact.id);
  });
  return contactCard(db, caller, conversationId);
}

/** @throws Problem as `splitPerson` */
export async function splitContact(
  db: Database,
  caller: Caller,
  conversationId: string,
  otherId: string,
): Promise<ContactCard> {
  await asTenant(db, caller, (tx) => splitPerson(tx, caller, conversationId, otherId));
  return contactCard(db, caller, conversationId);
}

/** Cancels the twin's waiting answers, on all channels, to a person who does not want an AI to answer. */
async function silenceTwin(tx: Tx, contactId: number): Promise<void> {
  const conversationIds = tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(sql`${conversations.contactId} in ${contactsOfPerson(contactId)}`);
  await tx
    .update(outbox)
    .set({ state: "cancelled", reason: "Собеседник не согласен, чтобы отвечал ИИ" })
    .where(
      and(
        inArray(outbox.conversationId, conversationIds),
        inArray(outbox.state, ["draft", "pending"]),
        isNull(outbox.author),
      ),
    );
}

/** @throws Problem 404, 403; 409 when there are too many facts */
export function addFact(
  db: Database,
  caller: Caller,
  conversationId: string,
  { text }: FactInput,
): Promise<ContactFact> {
  return asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, conversationId);
    const { contact } = await placeOf(tx, caller, conversationId);
    const [known] = await tx.select({ total: count() }).from(contactFacts).where(ofPerson(contact.id));
    if ((known?.total ?? 0) >= FACTS_LIMIT) {
      throw conflict("too_many_facts", `Больше ${FACTS_LIMIT} записей не запомнить: удалите лишние`);
    }
    const [fact] = await tx
      .insert(contactFacts)
      .values({ orgId: caller.organizationId, contactId: contact.id, text })
      .returning();
    return toFact(fact!);
  });
}

/** @throws Problem 404, 403 */
export function editFact(db: Database, caller: Caller, id: string, { text }: FactInput): Promise<ContactFact> {
  return asTenant(db, caller, async (tx) => {
    await canChangeFact(tx, caller, id);
    const [fact] = await tx.update(contactFacts).set({ text }).where(eq(contactFacts.id, id)).returning();
    return toFact(fact!);
  });
}

/** @throws Problem 404, 403 */
export function removeFact(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await canChangeFact(tx, caller, id);
    await tx.delete(contactFacts).where(eq(contactFacts.id, id));
  });
}

async function canChangeFact(tx: Tx, caller: Caller, id: string): Promise<void> {
  const [twin] = await tx
    .select({ orgId: twins.orgId, ownerId: twins.ownerId })
    .from(contactFacts)
    .innerJoin(contacts, eq(contacts.id, contactFacts.contactId))
    .innerJoin(twins, eq(twins.id, contacts.twinId))
    .where(eq(contactFacts.id, id))
    // The lock serialises changes of one fact: a simultaneous removal ends before this read or begins after this transaction.
    .for("update", { of: contactFacts });
  if (twin === undefined) throw notFound("Запись не найдена", "fact_not_found");
  canChange(caller, twin);
}

const toFact = ({ id, text }: typeof contactFacts.$inferSelect): ContactFact => ({ id, text });
