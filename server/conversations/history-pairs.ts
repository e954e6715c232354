/** Pairs of the owner's history that are worth showing: a message that came in, and what the owner answered. */
import { and, desc, eq, sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { chats, contacts, exemplars } from "#server/db/schema.ts";

export interface StoredPair {
  id: number;
  contactId: number;
  contactName: string;
  chatKind: string;
  incoming: string;
  reply: string;
  repliedAt: Date;
}

/** The newest so many are looked at, however long the history is. */
const LOOKED_AT = 400;
/** Characters: shorter says nothing by itself, longer is no message to read at a glance. */
const INCOMING = { from: 8, to: 400 };
const REPLY = { from: 2, to: 400 };

const columns = {
  id: exemplars.id,
  contactId: exemplars.contactId,
  contactName: contacts.name,
  chatKind: chats.kind,
  incoming: exemplars.incoming,
  reply: exemplars.reply,
  repliedAt: exemplars.repliedAt,
};

const selectPairs = (tx: Tx) =>
  tx
    .select(columns)
    .from(exemplars)
    .innerJoin(contacts, eq(contacts.id, exemplars.contactId))
    .innerJoin(chats, eq(chats.id, exemplars.chatId));

/** Those that show most come first; the order stays the same while the history does. */
export async function listPairs(tx: Tx, twinId: string): Promise<StoredPair[]> {
  const pairs = await selectPairs(tx)
    .where(
      and(
        eq(exemplars.twinId, twinId),
        sql`length(${exemplars.incoming}) between ${INCOMING.from} and ${INCOMING.to}`,
        sql`length(${exemplars.reply}) between ${REPLY.from} and ${REPLY.to}`,
      ),
    )
    .orderBy(desc(exemplars.id))
    .limit(LOOKED_AT);
  return pairs.sort((a, b) => worth(b) - worth(a) || b.id - a.id);
}

export async function findPair(tx: Tx, twinId: string, id: number): Promise<StoredPair | undefined> {
  const [pair] = await selectPairs(tx).where(and(eq(exemplars.twinId, twinId), eq(exemplars.id, id)));
  return pair;
}

/** A question that is understood without what was said before, and an answer in words. */
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
