/** The owner takes over a contact's conversation, for a time or until he returns it; meanwhile the twin is silent. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { TAKEOVER_MINUTES, type Takeover, type TakeoverInput } from "#contract/conversations/approvals.ts";
import { canChangeConversation } from "#server/inbox/conversations/access.ts";
import { emit } from "#server/inbox/webhooks/emit.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { idsOf, lockTwinOf, webhookIdsOf } from "./contact-conversation.ts";

/** Means «until the owner returns it»: later than any conversation lasts. */
const FOR_GOOD = new Date("2999-12-31T00:00:00Z");

export const takeoverFrom = (moment: Date): Date => new Date(moment.getTime() + TAKEOVER_MINUTES * 60_000);

/**
 * Pauses the twin and cancels waiting answers: after this call has returned, the twin sends nothing there.
 * @throws Problem 404, 403; 422 for a chat without a contact
 */
export function pauseConversation(
  db: Database,
  caller: Caller,
  id: string,
  choice: TakeoverInput = undefined,
): Promise<Takeover> {
  return asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, id);
    await lockTwinOf(tx, id);
    const until =
      choice === undefined ? takeoverFrom(new Date()) : choice.until === null ? FOR_GOOD : new Date(choice.until);
    const [conversation] = await tx
      .update(conversations)
      .set({ pausedUntil: until })
      .where(and(eq(conversations.id, id), isNull(conversations.userId)))
      .returning();
    if (conversation === undefined) throw unprocessable("no_contact", "В тестовом чате отвечает только двойник");
    await emit(tx, {
      type: "takeover.started",
      ...webhookIdsOf(conversation),
      secrecy: "organization",
      data: { ...idsOf(conversation), until: until.toISOString() },
      texts: { contactName: conversation.participantName },
    });
    await cancelAnswers(tx, id, ["pending"], "Диалог ведёте вы");
    return { conversationId: id, pausedUntil: until.toISOString() };
  });
}

/** @throws Problem 404, 403 */
export function resumeConversation(db: Database, caller: Caller, id: string): Promise<Takeover> {
  return asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, id);
    await tx.update(conversations).set({ pausedUntil: null }).where(eq(conversations.id, id));
    return { conversationId: id, pausedUntil: null };
  });
}

/**
 * Called after the owner has written, here or in another client: the twin pauses, and its answers to the same messages are void. A longer
 * takeover that he has chosen stays. The caller has locked the twin.
 */
export async function yieldToOwner(tx: Tx, conversationId: string, until: Date): Promise<void> {
  await tx
    .update(conversations)
    .set({ pausedUntil: sql`greatest(${conversations.pausedUntil}, ${until.toISOString()}::timestamptz)` })
    .where(eq(conversations.id, conversationId));
  await cancelAnswers(tx, conversationId, ["draft", "pending"], "Вы ответили сами");
}

/** Cancels what the twin has prepared; the owner's own messages stay. */
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
