/** The owner speaks himself in a contact's conversation, for a time or until he gives it back; meanwhile the twin is silent. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { TAKEOVER_MINUTES, type Takeover, type TakeoverInput } from "#contract/approvals.ts";
import { canChangeConversation } from "#server/conversations/access.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { conversations, outbox } from "#server/db/schema.ts";
import { unprocessable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { emit } from "#server/webhooks/emit.ts";
import { idsOf, lockTwinOf, placeOf } from "./contact-conversation.ts";

/** Until the owner gives it back: later than any talk lasts. */
const FOR_GOOD = new Date("2999-12-31T00:00:00Z");

/** How long the owner is taken to go on after a word of his. */
export const takeoverFrom = (moment: Date): Date => new Date(moment.getTime() + TAKEOVER_MINUTES * 60_000);

/**
 * What was about to go out does not: after the answer of this call the twin says nothing there.
 * @throws Problem 404, 403; 422 for a chat that has no contact
 */
export function pauseConversation(
  db: Database,
  viewer: Viewer,
  id: string,
  choice: TakeoverInput = undefined,
): Promise<Takeover> {
  return asTenant(db, viewer, async (tx) => {
    await canChangeConversation(tx, viewer, id);
    await lockTwinOf(tx, id);
    const until =
      choice === undefined ? takeoverFrom(new Date()) : choice.until === null ? FOR_GOOD : new Date(choice.until);
    const [talk] = await tx
      .update(conversations)
      .set({ pausedUntil: until })
      .where(and(eq(conversations.id, id), isNull(conversations.userId)))
      .returning();
    if (talk === undefined) throw unprocessable("no_contact", "В тестовом чате отвечает только двойник");
    await emit(tx, {
      type: "takeover.started",
      ...placeOf(talk),
      data: { ...idsOf(talk), until: until.toISOString() },
      texts: { contactName: talk.participantName },
    });
    await cancelAnswers(tx, id, ["pending"], "Диалог ведёте вы");
    return { conversationId: id, pausedUntil: until.toISOString() };
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

/**
 * The owner has said something there, here or in another client: the twin steps back, and what it had to say to the same
 * messages is void. A longer time that he has chosen stays. The caller has locked the twin.
 */
export async function stepBack(tx: Tx, conversationId: string, until: Date): Promise<void> {
  await tx
    .update(conversations)
    .set({ pausedUntil: sql`greatest(${conversations.pausedUntil}, ${until.toISOString()}::timestamptz)` })
    .where(eq(conversations.id, conversationId));
  await cancelAnswers(tx, conversationId, ["draft", "pending"], "Вы ответили сами");
}

/** The owner's own words are never taken back for him. */
async function cancelAnswers(
  tx: Tx,
  conversationId: string,
  states: ("draft" | "pending")[],
  reason: string,
): Promise<void> {
  await tx
    .update(outbox)
    .set({ state: "cancelled", reason })
    .where(and(eq(outbox.conversationId, conversationId), inArray(outbox.state, states), isNull(outbox.author)));
}
