/** Keeps the pairs of a chat: what came in and what the owner answered. */
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/db/database.ts";
import { chats, contacts, exemplars, messages } from "#server/db/schema.ts";
import { bumpKnowledge } from "#server/twins/training.ts";
import { type TurnPair, TurnPairer } from "./pair-turns.ts";
import { ContactNames, replyAudience } from "./reply-audience.ts";

const PAGE = 1000;

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
  const known = await tx
    .select()
    .from(exemplars)
    .where(
      inArray(
        exemplars.replyMessageId,
        pairs.map((pair) => pair.replyMessageId),
      ),
    );
  const byReply = new Map(known.map((row) => [row.replyMessageId, row]));
  const changed = pairs
    .map((pair) => ({
      ...pair,
      orgId: tenant.organizationId,
      twinId: chat.twinId,
      chatId: chat.chatId,
      audience: replyAudience(pair.reply, names, { contactId: pair.contactId, chatKind: chat.chatKind }),
    }))
    .filter((row) => {
      const old = byReply.get(row.replyMessageId);
      return old?.reply !== row.reply || old.incoming !== row.incoming || old.audience !== row.audience;
    });
  if (changed.length === 0) return;
  // A changed pair gets a new id: index segments hold ids, and what an id means must not change.
  await tx.delete(exemplars).where(
    inArray(
      exemplars.replyMessageId,
      changed.map((row) => row.replyMessageId),
    ),
  );
  await tx.insert(exemplars).values(changed).onConflictDoNothing();
  await bumpKnowledge(tx, chat.twinId);
}

interface ChatPlace {
  twinId: string;
  chatId: number;
}

/**
 * Pairs a whole stored chat page by page; running it again changes nothing.
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
  const kind = await chatKind(tx, tenant, chat);
  if (kind === null) return null;
  const lines = await readPage(tx, chat.chatId, after);
  const pairs: TurnPair[] = [];
  for (const line of lines) {
    const pair = pairer.add(line);
    if (pair !== null) pairs.push(pair);
  }
  const more = lines.length === PAGE;
  const rest = more ? null : pairer.end();
  if (rest !== null) pairs.push(rest);
  await storeExemplars(tx, tenant, { ...chat, chatKind: kind }, pairs, names);
  return more ? lines.at(-1)! : null;
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
