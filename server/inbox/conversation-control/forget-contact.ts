import { eq, inArray, sql } from "drizzle-orm";
import { drainThenDelete } from "#server/accounts/twins/in-flight-sends.ts";
import { canChangeConversation, conversationNotFound } from "#server/inbox/conversations/access.ts";
import { contactsOfPerson } from "#server/inbox/conversations/person.ts";
import { forgetContact } from "#server/knowledge/forgetting/forget-contact.ts";
import { type RemainsDeps, removeMediaRemains } from "#server/models/media/remains.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { lockTwin } from "./contact-conversation.ts";

/**
 * Carries out «Удалить всё об этом контакте» from one of the contact's conversations. Before it returns, every send to them has arrived or
 * was stopped.
 * @throws Problem 404, 403, 409 as `forgetContact`
 */
export async function forgetContactOf(
  deps: RemainsDeps & { jobs: Jobs },
  caller: Caller,
  conversationId: string,
): Promise<void> {
  const { db, jobs } = deps;
  let contactIds: number[];
  const claim = async (tx: Tx) => {
    await canChangeConversation(tx, caller, conversationId);
    const [conversation] = await tx
      .select({ contactId: conversations.contactId, twinId: conversations.twinId })
      .from(conversations)
      .where(eq(conversations.id, conversationId));
    if (conversation === undefined || conversation.contactId === null) throw conversationNotFound();
    // Forgetting changes the twin's knowledge and covers all channels of the person, so it must not run beside a merge.
    await lockTwin(tx, conversation.twinId, "no key update");
    const person = await tx
      .select({ id: contacts.id })
      .from(contacts)
      .where(sql`${contacts.id} in ${contactsOfPerson(conversation.contactId)}`)
      .orderBy(contacts.id);
    contactIds = person.map(({ id }) => id);
    await tx
      .select({ id: conversations.id })
      .from(conversations)
      .where(inArray(conversations.contactId, contactIds))
      .for("update");
    return contactIds.map((contactId) => ({ contactId }));
  };
  await drainThenDelete(db, caller, claim, async (tx) => {
    for (const contactId of contactIds) await forgetContact(tx, jobs, caller, contactId);
  });
  await removeMediaRemains(deps);
}
