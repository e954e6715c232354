import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { ChatMessage } from "#contract/conversations.ts";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { conversationMessages, conversations, replyFeedback } from "#server/db/schema.ts";
import type { Grounds } from "#server/replies/reply.ts";
import { conversationNotFound, readableBy } from "./access.ts";

const MESSAGES_LIMIT = 1000;

/** What an answer stood on, as it is stored beside the message. */
export type StoredGrounds = Grounds & {
  /** The reader stopped the stream: the text is what had arrived. */
  stopped?: boolean;
  /** The pair of the owner's history that was asked of the twin (first-answer.ts). */
  pairId?: string;
};

/** Stored beside a question that was asked once more. */
export interface StoredRepeat {
  again: true;
}

/** Oldest first, the latest thousand. @throws Problem 404 */
export async function conversationTranscript(db: Database, viewer: Tenant, id: string): Promise<ChatMessage[]> {
  return asTenant(db, viewer, async (tx) => {
    const [conversation] = await tx
      .select({ userId: conversations.userId })
      .from(conversations)
      .where(and(eq(conversations.id, id), readableBy(viewer)));
    if (conversation === undefined) throw conversationNotFound();
    const latest = tx
      .select()
      .from(conversationMessages)
      .where(eq(conversationMessages.conversationId, id))
      .orderBy(desc(conversationMessages.id))
      .limit(MESSAGES_LIMIT)
      .as("latest");
    const rows = await tx
      .select({
        id: latest.id,
        role: latest.role,
        author: latest.author,
        content: latest.content,
        grounds: latest.grounds,
        durationMs: latest.durationMs,
        createdAt: latest.createdAt,
        rating: replyFeedback.rating,
        comment: replyFeedback.comment,
        correction: replyFeedback.correction,
      })
      .from(latest)
      .leftJoin(
        replyFeedback,
        and(eq(replyFeedback.messageId, latest.id), eq(replyFeedback.userId, sql`${viewer.userId}::uuid`)),
      )
      .orderBy(asc(latest.id));
    return rows.map((row) => toMessage(row, conversation.userId !== null));
  });
}

type Row = Pick<
  typeof conversationMessages.$inferSelect,
  "id" | "role" | "author" | "content" | "grounds" | "durationMs" | "createdAt"
> & { rating: number | null; comment: string | null; correction: string | null };

/** @param own the reader's own test chat: nobody else sees which past replies an answer leans on */
function toMessage(row: Row, own: boolean): ChatMessage {
  const { rating, comment, correction } = row;
  const message = {
    id: String(row.id),
    role: row.role,
    ...(row.author === null ? {} : { author: row.author }),
    content: row.content,
    timestamp: row.createdAt.toISOString(),
    durationMs: row.durationMs,
    feedback: rating === null && correction === null ? null : { rating, comment, correction },
  };
  if (row.role === "user") {
    const repeat = row.grounds as StoredRepeat | null;
    return { ...message, sources: [], confidence: null, ...(repeat?.again ? { again: true } : {}) };
  }
  const grounds = row.grounds as StoredGrounds | null;
  if (grounds === null) return { ...message, sources: [], confidence: null };
  const { sources, exemplars, confidence, basis, reason, stopped } = grounds;
  return {
    ...message,
    sources,
    confidence,
    basis,
    reason,
    ...(own ? { exemplars } : {}),
    ...(stopped ? { stopped } : {}),
  };
}
