/** Pairs of an incoming turn and the owner's answer, as they are stored. */
import { eq, sql } from "drizzle-orm";
import { bigints, texts, timestamps } from "#server/db/binary-arrays.ts";
import type { Tenant, Tx } from "#server/db/database.ts";
import { contacts, exemplars } from "#server/db/schema.ts";
import { ContactNames } from "./contact-names.ts";
import type { TurnPair } from "./pair-turns.ts";

export interface ChatPlace {
  twinId: string;
  chatId: number;
}

/** All names under which the twin's contacts are known. */
export async function contactNamesOf(tx: Tx, twinId: string): Promise<ContactNames> {
  const rows = await tx.selectDistinct({ name: contacts.name }).from(contacts).where(eq(contacts.twinId, twinId));
  return new ContactNames(rows.map((row) => row.name));
}

/**
 * Of each pair its own id and those of whatever repeats it word for word: the same talk may have been imported twice. One
 * reading of the twin's pairs, however many are asked for.
 */
export async function idsOfSamePairs(
  tx: Tx,
  twinId: string,
  ids: readonly number[],
): Promise<Map<number, Set<number>>> {
  const { rows } = await tx.execute(sql`
    select pair.id as pair, same.id as same from ${exemplars} pair
    join ${exemplars} same on same.twin_id = pair.twin_id and same.incoming = pair.incoming and same.reply = pair.reply
    where pair.twin_id = ${twinId} and pair.id = any(${sql.param(ids)}::bigint[])`);
  const found = new Map(ids.map((id) => [id, new Set([id])]));
  for (const row of rows) found.get(Number(row.pair))?.add(Number(row.same));
  return found;
}

/**
 * Stores pairs that are new and replaces those whose words have changed (a turn went on in a later import).
 * @returns whether anything did
 */
export async function storeExemplars(
  tx: Tx,
  tenant: Tenant,
  chat: ChatPlace,
  pairs: readonly TurnPair[],
): Promise<boolean> {
  if (pairs.length === 0) return false;
  const ids = sql.param(pairs.map((pair) => pair.replyMessageId));
  const known = await tx
    .select({
      replyMessageId: exemplars.replyMessageId,
      incoming: exemplars.incoming,
      reply: exemplars.reply,
    })
    .from(exemplars)
    .where(sql`${exemplars.replyMessageId} = any(${ids}::bigint[])`);
  const byReply = new Map(known.map((row) => [row.replyMessageId, row]));
  const changed = pairs.filter((row) => {
    const old = byReply.get(row.replyMessageId);
    return old?.reply !== row.reply || old.incoming !== row.incoming;
  });
  if (changed.length === 0) return false;
  // A changed pair gets a new id: index segments hold ids, and what an id means must not change.
  await dropExemplars(
    tx,
    changed.map((row) => row.replyMessageId).filter((id) => byReply.has(id)),
  );
  await insertRows(tx, tenant, chat, changed);
  return true;
}

/** Removes the pairs, if there are any, that are known by these messages. @returns whether there were */
export async function dropExemplars(tx: Tx, replyMessageIds: readonly number[]): Promise<boolean> {
  if (replyMessageIds.length === 0) return false;
  const dropped = await tx
    .delete(exemplars)
    .where(sql`${exemplars.replyMessageId} = any(${sql.param(replyMessageIds)}::bigint[])`);
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
    insert into ${exemplars}
      (org_id, twin_id, chat_id, contact_id, incoming, reply, reply_message_id, replied_at)
    select ${tenant.organizationId}::uuid, ${twinId}::uuid, ${chatId}::bigint, new.* from unnest(
      ${bigints(rows.map((row) => row.contactId))}, ${texts(rows.map((row) => row.incoming))},
      ${texts(rows.map((row) => row.reply))}, ${bigints(rows.map((row) => row.replyMessageId))},
      ${timestamps(rows.map((row) => row.repliedAt))}
    ) as new
    on conflict (reply_message_id) do nothing`);
}
