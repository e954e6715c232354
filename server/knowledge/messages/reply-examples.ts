import { eq, sql } from "drizzle-orm";
import { bigints, texts, timestamps } from "#server/platform/db/binary-arrays.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { ContactNames } from "./contact-names.ts";
import type { TurnPair } from "./pairs/pair-turns.ts";

export interface ChatPlace {
  twinId: string;
  chatId: number;
}

export async function contactNamesOf(tx: Tx, twinId: string): Promise<ContactNames> {
  const rows = await tx.selectDistinct({ name: contacts.name }).from(contacts).where(eq(contacts.twinId, twinId));
  return new ContactNames(rows.map((row) => row.name));
}

/**
 * Maps each given pair to its own id and those of pairs with exactly the same words, because a conversation may have been imported twice.
 * The twin's pairs are scanned once, however many ids are given.
 */
export async function idsOfSamePairs(
  tx: Tx,
  twinId: string,
  ids: readonly number[],
): Promise<Map<number, Set<number>>> {
  const { rows } = await tx.execute(sql`
    select pair.id as pair, same.id as same from ${replyExamples} pair
    join ${replyExamples} same on same.twin_id = pair.twin_id and same.incoming = pair.incoming and same.reply = pair.reply
    where pair.twin_id = ${twinId} and pair.id = any(${sql.param(ids)}::bigint[])`);
  const found = new Map(ids.map((id) => [id, new Set([id])]));
  for (const row of rows) found.get(Number(row.pair))?.add(Number(row.same));
  return found;
}

/**
 * Stores new pairs and replaces those whose text changed because a later import continued the turn.
 * @returns whether any row changed
 */
export async function storeReplyExamples(
  tx: Tx,
  tenant: Tenant,
  chat: ChatPlace,
  pairs: readonly TurnPair[],
): Promise<boolean> {
  if (pairs.length === 0) return false;
  const ids = sql.param(pairs.map((pair) => pair.replyMessageId));
  const known = await tx
    .select({
      replyMessageId: replyExamples.replyMessageId,
      incoming: replyExamples.incoming,
      reply: replyExamples.reply,
    })
    .from(replyExamples)
    .where(sql`${replyExamples.replyMessageId} = any(${ids}::bigint[])`);
  const byReply = new Map(known.map((row) => [row.replyMessageId, row]));
  const changed = pairs.filter((row) => {
    const old = byReply.get(row.replyMessageId);
    return old?.reply !== row.reply || old.incoming !== row.incoming;
  });
  if (changed.length === 0) return false;
  // A changed pair gets a new id: index segments contain ids, and the meaning of an id must not change.
  await dropReplyExamples(
    tx,
    changed.map((row) => row.replyMessageId).filter((id) => byReply.has(id)),
  );
  await insertRows(tx, tenant, chat, changed);
  return true;
}

/** Deletes the pairs whose replies begin with these messages. @returns whether there were any */
export async function dropReplyExamples(tx: Tx, replyMessageIds: readonly number[]): Promise<boolean> {
  if (replyMessageIds.length === 0) return false;
  const dropped = await tx
    .delete(replyExamples)
    .where(sql`${replyExamples.replyMessageId} = any(${sql.param(replyMessageIds)}::bigint[])`);
  return (dropped.rowCount ?? 0) > 0;
}

// One array per column: any number of rows is one small statement.
async function insertRows(
  tx: Tx,
  tenant: Tenant,
  { twinId, chatId }: ChatPlace,
  rows: readonly TurnPair[],
): Promise<void> {
  await tx.execute(sql`
    insert into ${replyExamples}
      (org_id, twin_id, chat_id, contact_id, incoming, reply, reply_message_id, replied_at)
    select ${tenant.organizationId}::uuid, ${twinId}::uuid, ${chatId}::bigint, new.* from unnest(
      ${bigints(rows.map((row) => row.contactId))}, ${texts(rows.map((row) => row.incoming))},
      ${texts(rows.map((row) => row.reply))}, ${bigints(rows.map((row) => row.replyMessageId))},
      ${timestamps(rows.map((row) => row.repliedAt))}
    ) as new
    on conflict (reply_message_id) do nothing`);
}
