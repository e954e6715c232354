/** Lists pairs of the owner's history that are worth showing: a received message and the owner's answer. */
import { and, desc, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { chats, contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";

export interface StoredPair {
  id: number;
  contactId: number;
  contactName: string;
  chatKind: string;
  incoming: string;
  reply: string;
  repliedAt: Date;
}

/** Number of the newest pairs that are considered, however long the history is. */
const LOOKED_AT = 400;
/** Characters: a shorter message means nothing alone, a longer one cannot be read at a glance. */
const INCOMING = { from: 8, to: 400 };
const REPLY = { from: 2, to: 400 };

const columns = {
  id: replyExamples.id,
  contactId: replyExamples.contactId,
  contactName: contacts.name,
  chatKind: chats.kind,
  incoming: replyExamples.incoming,
  reply: replyExamples.reply,
  repliedAt: replyExamples.repliedAt,
};

const selectPairs = (tx: Tx) =>
  tx
    .select(columns)
    .from(replyExamples)
    .innerJoin(contacts, eq(contacts.id, replyExamples.contactId))
    .innerJoin(chats, eq(chats.id, replyExamples.chatId));

/** Lists the most informative pairs first; the order is stable while the history does not change. */
export async function listPairs(tx: Tx, twinId: string): Promise<StoredPair[]> {
  const pairs = await selectPairs(tx)
    .where(
      and(
        eq(replyExamples.twinId, twinId),
        // A contact who refuses that an AI answers is not spoken for either.
        or(isNull(contacts.consent), ne(contacts.consent, "refused")),
        sql`length(${replyExamples.incoming}) between ${INCOMING.from} and ${INCOMING.to}`,
        sql`length(${replyExamples.reply}) between ${REPLY.from} and ${REPLY.to}`,
      ),
    )
    .orderBy(desc(replyExamples.id))
    .limit(LOOKED_AT);
  return pairs.sort((a, b) => worth(b) - worth(a) || b.id - a.id);
}

export async function findPair(tx: Tx, twinId: string, id: number): Promise<StoredPair | undefined> {
  const [pair] = await selectPairs(tx).where(and(eq(replyExamples.twinId, twinId), eq(replyExamples.id, id)));
  return pair;
}

/** Ranks higher a question that needs no context and an answer in words. */
function worth({ incoming, reply, chatKind }: StoredPair): number {
  const words = (text: string) => text.match(/\p{L}+/gu)?.length ?? 0;
  return (
    (incoming.includes("?") ? 2 : 0) +
    (words(incoming) >= 4 ? 1 : 0) +
    (words(reply) >= 3 ? 1 : 0) +
    (chatKind === "private" ? 1 : 0) -
    (/https?:\/\//.test(incoming + reply) ? 2 : 0)
  );
}
