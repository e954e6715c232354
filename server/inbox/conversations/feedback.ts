import { and, eq, sql } from "drizzle-orm";
import type { Feedback, FeedbackInput } from "#contract/conversations/conversations.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { readableBy } from "./access.ts";

/**
 * Stores the caller's feedback on an answer; a later one replaces it as a whole.
 * @throws Problem 404 for an unknown message, a question, or a conversation that the caller may not read
 */
export function rateReply(db: Database, caller: Caller, messageId: number, input: FeedbackInput): Promise<Feedback> {
  const opinion = {
    rating: input.rating ?? null,
    comment: input.comment || null,
    correction: input.correction || null,
  };
  return asTenant(db, caller, async (tx) => {
    const [answer] = await tx
      .select({ twinId: conversations.twinId, secrecy: conversationMessages.secrecy })
      .from(conversationMessages)
      .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
      .where(
        and(
          eq(conversationMessages.id, messageId),
          eq(conversationMessages.role, "assistant"),
          eq(conversationMessages.orgId, caller.organizationId),
          readableBy(caller),
        ),
      );
    if (answer === undefined) throw notFound("Ответ не найден", "message_not_found");
    await tx
      .insert(replyFeedback)
      .values({ ...answer, orgId: caller.organizationId, messageId, userId: caller.userId, ...opinion })
      .onConflictDoUpdate({
        target: [replyFeedback.messageId, replyFeedback.userId],
        // A changed correction needs the owner's decision again.
        set: {
          ...opinion,
          settledAt: sql`case when ${replyFeedback.correction} is distinct from excluded.correction then null else ${replyFeedback.settledAt} end`,
          createdAt: sql`now()`,
        },
      });
    return opinion;
  });
}
