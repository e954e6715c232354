import { eq } from "drizzle-orm";
import { canChangeConversation, conversationNotFound } from "#server/conversations/access.ts";
import { asTenant, type Database } from "#server/db/database.ts";
import { conversations } from "#server/db/schema.ts";
import type { Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { forgetContact } from "#server/knowledge/forget-contact.ts";
import { lockTwin } from "./contact-conversation.ts";

/** «Удалить всё об этом контакте», from one of the conversations with them. @throws Problem 404, 403, 409 as forgetContact */
export function forgetContactOf(
  { db, jobs }: { db: Database; jobs: Jobs },
  viewer: Viewer,
  conversationId: string,
): Promise<void> {
  return asTenant(db, viewer, async (tx) => {
    await canChangeConversation(tx, viewer, conversationId);
    const [talk] = await tx
      .select({ contactId: conversations.contactId, twinId: conversations.twinId })
      .from(conversations)
      .where(eq(conversations.id, conversationId));
    if (talk === undefined || talk.contactId === null) throw conversationNotFound();
    await lockTwin(tx, talk.twinId);
    await forgetContact(tx, jobs, viewer, talk.contactId);
  });
}
