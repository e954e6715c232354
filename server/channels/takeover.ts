/** The owner speaks himself in a contact's conversation, and gives it back. */
import { and, eq, inArray } from "drizzle-orm";
import type { Takeover } from "#contract/approvals.ts";
import { canChangeConversation } from "#server/conversations/access.ts";
import { asTenant, type Database } from "#server/db/database.ts";
import { conversations, outbox } from "#server/db/schema.ts";
import type { Viewer } from "#server/http.ts";
import { lockTwinOf } from "./contact-conversation.ts";

/** Until the owner gives it back: later than any talk lasts. */
const FOR_GOOD = new Date("2999-12-31T00:00:00Z");

/** What was about to go out does not: after the answer of this call the twin says nothing there. @throws Problem 404, 403 */
export function pauseConversation(db: Database, viewer: Viewer, id: string): Promise<Takeover> {
  return asTenant(db, viewer, async (tx) => {
    await canChangeConversation(tx, viewer, id);
    await lockTwinOf(tx, id);
    await tx.update(conversations).set({ pausedUntil: FOR_GOOD }).where(eq(conversations.id, id));
    await tx
      .update(outbox)
      .set({ state: "cancelled", reason: "Диалог ведёте вы" })
      .where(and(eq(outbox.conversationId, id), inArray(outbox.state, ["pending"])));
    return { conversationId: id, pausedUntil: FOR_GOOD.toISOString() };
  });
}

/** @throws Problem 404, 403 */
export function resumeConversation(db: Database, viewer: Viewer, id: string): Promise<Takeover> {
  return asTenant(db, viewer, async (tx) => {
    await canChangeConversation(tx, viewer, id);
    await tx.update(conversations).set({ pausedUntil: null }).where(eq(conversations.id, id));
    return { conversationId: id, pausedUntil: null };
  });
}
