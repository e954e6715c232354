import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { ChatMessage, TranscriptQuery } from "#contract/conversations/conversations.ts";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import { readCallsNow } from "#server/answers/tools/calls-now.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { HIDDEN_WORDS, mayRead } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conversationNotFound, readableBy } from "./access.ts";
import { mediaOfMessages } from "./message-media.ts";

const MESSAGES_LIMIT = 1000;

/** The basis of an answer, as stored beside the message. */
export type StoredCitations = Citations & {
  /** The reader stopped the stream, so the text is incomplete. */
  stopped?: boolean;
  /** Id of the history pair that the twin was asked (first-answer.ts). */
  pairId?: string;
};

/** Stored beside a question. */
export interface StoredQuestion {
  /** The question was asked again. */
  again?: true;
  /** As `Inbound.quoted`. */
  quoted?: string;
}

/** Number of messages shown after the requested one. */
const NEWER = MESSAGES_LIMIT / 2;

/**
 * Returns up to MESSAGES_LIMIT messages, oldest first: the latest, or those around a message that may be much older.
 * @throws Problem 404
 */
export async function conversationTranscript(
  db: Database,
  caller: Tenant,
  id: string,
  { around }: TranscriptQuery = {},
): Promise<ChatMessage[]> {
  return asTenant(db, caller, async (tx) => {
    const [conversation] = await tx
      .select({
        userId: conversations.userId,
        ownerId: twins.ownerId,
        asked: conversations.asked,
        askedUntil: conversations.askedUntil,
        isComing: sql<boolean>`coalesce(${conversations.askedUntil} > now(), false)`,
      })
      .from(conversations)
      .innerJoin(twins, eq(twins.id, conversations.twinId))
      .where(and(eq(conversations.id, id), readableBy(caller)));
    if (conversation === undefined) throw conversationNotFound();
    const latest = tx
      .select()
      .from(conversationMessages)
      .where(and(eq(conversationMessages.conversationId, id), around === undefined ? undefined : until(id, around)))
      .orderBy(desc(conversationMessages.id))
      .limit(MESSAGES_LIMIT)
      .as("latest");
    const rows = await tx
      .select({
        id: latest.id,
        role: latest.role,
        author: latest.author,
        content: latest.content,
        secrecy: latest.secrecy,
        citations: latest.citations,
        durationMs: latest.durationMs,
        createdAt: latest.createdAt,
        rating: replyFeedback.rating,
        comment: replyFeedback.comment,
        correction: replyFeedback.correction,
      })
      .from(latest)
      .leftJoin(
        replyFeedback,
        and(eq(replyFeedback.messageId, latest.id), eq(replyFeedback.userId, sql`${caller.userId}::uuid`)),
      )
      .orderBy(asc(latest.id));
    const media = await mediaOfMessages(
      tx,
      rows.filter(({ role }) => role === "user").map(({ id }) => id),
    );
    const asOfNow = await readCallsNow(
      tx,
      rows.map(({ role, citations }) => (role === "assistant" ? (citations as StoredCitations | null) : null)),
    );
    const messages = rows.map((row) => ({
      ...toMessage(row, asOfNow, conversation.userId !== null, mayRead(caller, row.secrecy, conversation.ownerId)),
      ...(media.has(row.id) ? { media: media.get(row.id)! } : {}),
    }));
    return around === undefined ? [...messages, ...askedMessage(conversation)] : messages;
  });
}

/** The question of a test chat that is not stored as a message, because its answer is still made or was interrupted. */
function askedMessage({
  asked,
  askedUntil,
  isComing,
}: Pick<typeof conversations.$inferSelect, "asked" | "askedUntil"> & { isComing: boolean }): ChatMessage[] {
  if (asked === null) return [];
  return [
    {
      ...{ id: "0", role: "user", content: asked, timestamp: (askedUntil ?? new Date()).toISOString() },
      ...{ sources: [], confidence: null, durationMs: null, feedback: null },
      answer: isComing ? "coming" : "interrupted",
    },
  ];
}

/** SQL for the last message shown after the requested one. */
const until = (conversationId: string, around: string) =>
  sql`${conversationMessages.id} <= (select coalesce(max(id), 0) from (
    select id from conversation_messages where conversation_id = ${conversationId} and id >= ${around}::bigint order by id limit ${NEWER}) newer)`;

type Row = Pick<
  typeof conversationMessages.$inferSelect,
  "id" | "role" | "author" | "content" | "secrecy" | "citations" | "durationMs" | "createdAt"
> & { rating: number | null; comment: string | null; correction: string | null };

/**
 * @param asOfNow brings the calls of an answer up to date
 * @param own whether it is the reader's own test chat: other members do not see which past replies an answer used
 * @param readable whether the reader may read the words; otherwise a sentence in their place says why not
 */
function toMessage(
  row: Row,
  asOfNow: (citations: StoredCitations) => StoredCitations,
  own: boolean,
  readable: boolean,
): ChatMessage {
  const { rating, comment, correction } = row;
  const message = {
    id: String(row.id),
    role: row.role,
    ...(row.author === null ? {} : { author: row.author }),
    content: readable ? row.content : HIDDEN_WORDS,
    ...(readable ? {} : { hidden: true as const }),
    timestamp: row.createdAt.toISOString(),
    durationMs: row.durationMs,
    feedback: rating === null && correction === null ? null : { rating, comment, correction },
  };
  if (row.role === "user") {
    const { again, quoted } = (row.citations ?? {}) as StoredQuestion;
    return {
      ...{ ...message, sources: [], confidence: null },
      ...(again ? { again } : {}),
      ...(quoted !== undefined && readable ? { quoted } : {}),
    };
  }
  const stored = row.citations as StoredCitations | null;
  if (stored === null || !readable) return { ...message, sources: [], confidence: null };
  const { sources, replyExamples, confidence, basis, reason, action, parted, calls, scripted, stopped } =
    asOfNow(stored);
  return {
    ...message,
    sources,
    confidence,
    basis,
    reason,
    ...(action === undefined ? {} : { action }),
    ...(parted ? { parted } : {}),
    ...(calls === undefined ? {} : { calls }),
    ...(scripted ? { scripted } : {}),
    ...(own ? { replyExamples } : {}),
    ...(stopped ? { stopped } : {}),
  };
}
