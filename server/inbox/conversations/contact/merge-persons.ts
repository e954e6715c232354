/**
 * A member merges contacts into one person, or separates them. Knowledge that was public because three people had received it is recounted
 * in the same transaction (docs/decisions/021-shared-past-replies.md).
 */
import { randomUUID } from "node:crypto";
import { and, eq, gt, inArray, or, sql } from "drizzle-orm";
import { CHANNELS_LIMIT } from "#contract/conversations/contact-card.ts";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { getChangeableTwin, type TwinRow } from "#server/accounts/twins/twins.ts";
import { lostPeople, personOfContacts } from "#server/knowledge/messages/people.ts";
import { recountRecurring } from "#server/knowledge/public-replies/recount-recurring.ts";
import { withFewerPeople } from "#server/knowledge/style/shared-style.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { factProposals } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { canChangeConversation, conversationNotFound } from "../access.ts";
import { contactOfConversation, contactsOfPerson } from "../person.ts";

type Enqueuing = Pick<Jobs, "enqueue">;

/**
 * Merges the contacts of two conversations into one person; contacts merged with either before belong to the same person.
 * @throws Problem 404, 403; 409 when they belong to different twins or are too many
 */
export async function mergePersons(
  tx: Tx,
  jobs: Enqueuing,
  caller: Caller,
  conversationId: string,
  otherId: string,
): Promise<void> {
  await canChangeConversation(tx, caller, conversationId);
  await canChangeConversation(tx, caller, otherId);
  const { twinId } = await contactOfConversation(tx, caller, conversationId);
  // The twin is locked first, as in all transactions that change its knowledge; two merges of the same people wait for each other here.
  const twin = await getChangeableTwin(tx, caller, twinId);
  const one = await contactOfConversation(tx, caller, conversationId);
  const other = await contactOfConversation(tx, caller, otherId);
  if (one.id === other.id) return;
  if (one.twinId !== other.twinId) {
    throw conflict("not_one_twin", "Объединить можно только собеседников одного двойника");
  }
  const all = or(
    sql`${contacts.id} in ${contactsOfPerson(one.id)}`,
    sql`${contacts.id} in ${contactsOfPerson(other.id)}`,
  );
  const together = await tx
    .select({ id: contacts.id, mergedId: contacts.mergedId })
    .from(contacts)
    .where(all)
    .orderBy(contacts.id)
    .for("no key update");
  if (together.length > CHANNELS_LIMIT) {
    throw conflict("too_many_channels", `У одного человека не больше ${CHANNELS_LIMIT} каналов`);
  }
  const before = await personOfContacts(tx, twinId);
  await tx
    .update(contacts)
    .set({ personId: one.personId ?? other.personId ?? randomUUID() })
    .where(all);
  // Every contact ever merged with one of them counts as the same person.
  const ids = together.map(({ id }) => id);
  const merged = together.flatMap(({ mergedId }) => mergedId ?? []);
  await tx
    .update(contacts)
    .set({ mergedId: randomUUID() })
    .where(or(inArray(contacts.id, ids), and(eq(contacts.twinId, twinId), inArray(contacts.mergedId, merged))));
  const after = await personOfContacts(tx, twinId);
  const lost = lostPeople(before, after);
  if (lost === 0) return;
  await recountRecurring(tx, twinId, before, after);
  await lowerCounts(tx, twin, lost);
  await incrementKnowledgeVersion(tx, twinId);
  await requestTraining(tx, jobs, caller, twinId);
}

/**
 * Some counts do not store their people: words of the owner's manner, and facts. They are lowered to their minimum until the next training
 * recounts.
 */
async function lowerCounts(tx: Tx, { id: twinId, styleProfile }: TwinRow, lost: number): Promise<void> {
  await tx
    .update(twins)
    .set({ styleProfile: withFewerPeople(styleProfile, lost) })
    .where(eq(twins.id, twinId));
  await tx
    .update(factProposals)
    .set({ people: sql`greatest(1, ${factProposals.people} - ${lost}::int)` })
    .where(and(eq(factProposals.twinId, twinId), gt(factProposals.people, 1)));
}

/**
 * Separates the contact of the other conversation from the person. This publishes nothing: the two count as one person as long as both
 * exist.
 * @throws Problem 404, 403
 */
export async function splitPerson(tx: Tx, caller: Caller, conversationId: string, otherId: string): Promise<void> {
  await canChangeConversation(tx, caller, conversationId);
  const one = await contactOfConversation(tx, caller, conversationId);
  const other = await contactOfConversation(tx, caller, otherId);
  if (one.personId === null || one.personId !== other.personId || one.id === other.id) throw conversationNotFound();
  const locked = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(eq(contacts.personId, one.personId))
    .orderBy(contacts.id)
    .for("no key update");
  // A contact that remains alone is no longer one of several.
  const parted = locked.length <= 2 ? locked.map(({ id }) => id) : [other.id];
  await tx.update(contacts).set({ personId: null }).where(inArray(contacts.id, parted));
}
