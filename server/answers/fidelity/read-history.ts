/** Reads the newest text messages of an owner's history, with whom he wrote them. */
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { type People, personOfContacts } from "#server/knowledge/messages/people.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chats, messages } from "#server/platform/db/schema/knowledge.ts";
import { AdaptiveBatchSize } from "#server/platform/process/adaptive-batch-size.ts";
import type { HistoryMessage } from "./split-history.ts";

/** Number of newest messages that are split into parts; older ones stay in the twin's memory. */
const LOOKED_AT = 100_000;
/** Maximum messages of a page. */
const PAGE = 10_000;

type Mark = { sentAt: Date; id: number };
type HistoryRow = Awaited<ReturnType<typeof readPage>>[number];

/** Reads the newest messages before the mark along the knowledge base's index. */
function readPage(tx: Tx, tenant: Tenant, twinId: string, before: Mark | null, messagesAtMost: number) {
  return tx
    .select({
      id: messages.id,
      chatId: messages.chatId,
      chatKind: chats.kind,
      contactId: messages.contactId,
      fromOwner: messages.fromOwner,
      sentAt: messages.sentAt,
      text: messages.text,
    })
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .where(
      and(
        eq(messages.orgId, tenant.organizationId),
        eq(messages.twinId, twinId),
        eq(messages.kind, "text"),
        eq(messages.isTrainingData, true),
        inArray(chats.kind, ["private", "group"]),
        before === null
          ? undefined
          : sql`(${messages.sentAt}, ${messages.id}) < (${before.sentAt.toISOString()}::timestamptz, ${before.id})`,
      ),
    )
    .orderBy(desc(messages.sentAt), desc(messages.id))
    .limit(messagesAtMost);
}

export interface History {
  messages: HistoryMessage[];
  partners: ReadonlyMap<number, number>;
  people: People;
}

export async function readHistory(db: Database, { twinId, ...tenant }: Tenant & { twinId: string }): Promise<History> {
  const people = await asTenant(db, tenant, (tx) => personOfContacts(tx, twinId));
  const partners = new Map<number, number>();
  const read: HistoryMessage[] = [];
  const portion = new AdaptiveBatchSize(PAGE);
  let before: Mark | null = null;
  while (read.length < LOOKED_AT) {
    const wanted = Math.min(portion.rows, LOOKED_AT - read.length);
    const rows: HistoryRow[] = await asTenant(db, tenant, (tx) =>
      portion.measure(
        () => readPage(tx, tenant, twinId, before, wanted),
        ({ length }) => length,
      ),
    );
    for (const { id, chatId, chatKind, contactId, fromOwner, sentAt, text } of rows) {
      // A message without an author is no evidence about a person.
      if (!fromOwner && contactId === null) continue;
      if (chatKind === "private" && contactId !== null) partners.set(chatId, contactId);
      read.push({ id, chatId, author: fromOwner ? null : contactId, at: sentAt.getTime(), text });
    }
    if (rows.length < wanted) break;
    before = rows.at(-1)!;
  }
  return { messages: read.sort((a, b) => a.chatId - b.chatId || a.at - b.at || a.id - b.id), partners, people };
}
