/** Keeps the pairs of a chat: what came in and what the owner answered. */
import { and, asc, eq, sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/db/database.ts";
import { chats, contacts, exemplars, messages, twins } from "#server/db/schema.ts";
import { bumpKnowledge } from "#server/twins/training.ts";
import { type TurnPair, TurnPairer } from "./pair-turns.ts";
import { ContactNames, replyAudience } from "./reply-audience.ts";

const PAGE = 2000;

export interface PairedChat {
  twinId: string;
  chatId: number;
  chatKind: string;
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
 * Stores pairs that are new and replaces those whose words have changed (a turn went on in a later import); in the same
 * transaction the twin's knowledge revision grows when anything did.
 */
export async function storeExemplars(
  tx: Tx,
  tenant: Tenant,
  chat: PairedChat,
  pairs: readonly TurnPair[],
  names: ContactNames,
): Promise<void> {
  if (pairs.length === 0) return;
  const ids = sql.param(pairs.map((pair) => pair.replyMessageId));
  const known = await tx
    .select({
      replyMessageId: exemplars.replyMessageId,
      incoming: exemplars.incoming,
      reply: exemplars.reply,
      audience: exemplars.audience,
    })
    .from(exemplars)
    .where(sql`${exemplars.replyMessageId} = any(${ids}::bigint[])`);
  const byReply = new Map(known.map((row) => [row.replyMessageId, row]));
  const changed = pairs
    .map((pair) => ({
      ...pair,
      audience: replyAudience(pair.reply, names, { contactId: pair.contactId, chatKind: chat.chatKind }),
    }))
    .filter((row) => {
      const old = byReply.get(row.replyMessageId);
      return old?.reply !== row.reply || old.incoming !== row.incoming || old.audience !== row.audience;
    });
  if (changed.length === 0) return;
  // A changed pair gets a new id: index segments hold ids, and what an id means must not change.
  const replaced = changed.map((row) => row.replyMessageId).filter((id) => byReply.has(id));
  if (replaced.length > 0) {
    await tx.delete(exemplars).where(sql`${exemplars.replyMessageId} = any(${sql.param(replaced)}::bigint[])`);
  }
  await insertRows(tx, tenant, chat, changed);
  await bumpKnowledge(tx, chat.twinId);
}

// One array per column: any number of rows is one small statement.
async function insertRows(
  tx: Tx,
  tenant: Tenant,
  { twinId, chatId }: PairedChat,
  rows: readonly (TurnPair & { audience: number })[],
): Promise<void> {
  const column = <T>(of: (row: (typeof rows)[number]) => T) => sql.param(rows.map(of));
  await tx.execute(sql`
    insert into ${exemplars}
      (org_id, twin_id, chat_id, contact_id, incoming, reply, reply_message_id, audience, replied_at)
    select ${tenant.organizationId}::uuid, ${twinId}::uuid, ${chatId}::bigint, new.* from unnest(
      ${column((row) => row.contactId)}::bigint[], ${column((row) => row.incoming)}::text[],
      ${column((row) => row.reply)}::text[], ${column((row) => row.replyMessageId)}::bigint[],
      ${column((row) => row.audience)}::bigint[], ${column((row) => row.repliedAt.toISOString())}::timestamptz[]
    ) as new
    on conflict (reply_message_id) do nothing`);
}

interface ChatPlace {
  twinId: string;
  chatId: number;
}

/**
 * Pairs a whole stored chat page by page; running it again changes nothing. A pair that a later import has broken up (a message
 * came into the middle of its turn) goes.
 * @param run one transaction per page, or the caller's own for all: `(work) => work(tx)`
 */
export async function pairChat(
  run: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  tenant: Tenant,
  chat: ChatPlace,
  names: ContactNames,
  signal?: AbortSignal,
): Promise<void> {
  const pairer = new TurnPairer();
  let after: Place | null = null;
  do {
    signal?.throwIfAborted();
    const from: Place | null = after;
    after = await run((tx) => pairPage(tx, tenant, chat, names, pairer, from));
  } while (after !== null);
}

interface Place {
  sentAt: Date;
  id: number;
}

/** @returns where the next page begins, null at the end */
async function pairPage(
  tx: Tx,
  tenant: Tenant,
  chat: ChatPlace,
  names: ContactNames,
  pairer: TurnPairer,
  after: Place | null,
): Promise<Place | null> {
  // The twin first, as everyone who changes what it knows: in another order two could wait for each other.
  await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, chat.twinId)).for("no key update");
  const kind = await chatKind(tx, tenant, chat);
  if (kind === null) return null;
  const lines = await readPage(tx, chat.chatId, after);
  const pairs: TurnPair[] = [];
  const begun = pairer.openReply;
  for (const line of lines) {
    const pair = pairer.add(line);
    if (pair !== null) pairs.push(pair);
  }
  const more = lines.length === PAGE;
  const rest = more ? null : pairer.end();
  if (rest !== null) pairs.push(rest);
  const settled = new Set(lines.filter((line) => line.fromOwner).map((line) => line.id));
  if (begun !== null) settled.add(begun);
  for (const { replyMessageId } of pairs) settled.delete(replyMessageId);
  if (pairer.openReply !== null) settled.delete(pairer.openReply);
  await dropExemplars(tx, chat.twinId, [...settled]);
  await storeExemplars(tx, tenant, { ...chat, chatKind: kind }, pairs, names);
  return more ? lines.at(-1)! : null;
}

/** Removes the pairs, if there are any, of messages that no reply begins with. */
async function dropExemplars(tx: Tx, twinId: string, replyMessageIds: readonly number[]): Promise<void> {
  const dropped = await tx
    .delete(exemplars)
    .where(sql`${exemplars.replyMessageId} = any(${sql.param(replyMessageIds)}::bigint[])`);
  if ((dropped.rowCount ?? 0) > 0) await bumpKnowledge(tx, twinId);
}

/** null when the chat is gone, or holds nobody's talk with the owner. */
async function chatKind(tx: Tx, tenant: Tenant, chat: ChatPlace): Promise<string | null> {
  const [row] = await tx
    .select({ kind: chats.kind })
    .from(chats)
    .where(and(eq(chats.id, chat.chatId), eq(chats.twinId, chat.twinId), eq(chats.orgId, tenant.organizationId)));
  return row === undefined || row.kind === "channel" || row.kind === "saved" ? null : row.kind;
}

function readPage(tx: Tx, chatId: number, after: Place | null) {
  return tx
    .select({
      id: messages.id,
      externalId: messages.externalId,
      replyTo: messages.replyTo,
      contactId: messages.contactId,
      fromOwner: messages.fromOwner,
      kind: messages.kind,
      text: messages.text,
      sentAt: messages.sentAt,
    })
    .from(messages)
    .where(
      and(
        eq(messages.chatId, chatId),
        after === null
          ? undefined
          : sql`(${messages.sentAt}, ${messages.id}) > (${after.sentAt.toISOString()}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(asc(messages.sentAt), asc(messages.id))
    .limit(PAGE);
}
