/** Stores history of any origin: a pasted conversation, an export or a connected account. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { bigints, booleans, texts, timestamps } from "#server/platform/db/binary-arrays.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { chats, contacts, messages, sources } from "#server/platform/db/schema/knowledge.ts";

export interface HistorySource {
  kind: "paste" | "export" | "integration";
  platform: string;
  /** Identity of the account or conversation; imports with the same identity share one source. */
  externalId: string;
  name: string;
}

export async function ensureSource(tx: Tx, tenant: Tenant, twinId: string, source: HistorySource): Promise<string> {
  const [row] = await tx
    .insert(sources)
    .values({ ...source, orgId: tenant.organizationId, twinId, lastImportAt: new Date() })
    .onConflictDoUpdate({
      target: [sources.twinId, sources.kind, sources.platform, sources.externalId],
      set: { name: source.name, lastImportAt: new Date() },
    })
    .returning({ id: sources.id });
  return row!.id;
}

interface HistoryChat {
  externalId: string;
  kind: "private" | "group" | "channel" | "saved";
  name: string;
}

/** Finds or creates a chat; a known chat keeps its source and gets the newer name. @returns its id */
export async function ensureChat(
  tx: Tx,
  tenant: Tenant,
  place: { twinId: string; sourceId: string; platform: string },
  chat: HistoryChat,
): Promise<number> {
  const [row] = await tx
    .insert(chats)
    .values({ ...place, ...chat, orgId: tenant.organizationId })
    .onConflictDoUpdate({
      target: [chats.twinId, chats.platform, chats.externalId],
      set: { name: chat.name, kind: chat.kind },
    })
    .returning({ id: chats.id });
  return row!.id;
}

/** Finds or creates contacts; known ones get the newer name. @returns a map from external id to id for all of `people` */
export async function ensureContacts(
  tx: Tx,
  tenant: Tenant,
  place: { twinId: string; platform: string },
  people: readonly { externalId: string; name: string }[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const distinct = [...new Map(people.map((person) => [person.externalId, person])).values()];
  for (let at = 0; at < distinct.length; at += MAX_ROWS) {
    const part = distinct.slice(at, at + MAX_ROWS);
    const rows = await tx
      .insert(contacts)
      .values(part.map(({ externalId, name }) => ({ ...place, externalId, name, orgId: tenant.organizationId })))
      .onConflictDoUpdate({
        target: [contacts.twinId, contacts.platform, contacts.externalId],
        set: { name: sql`excluded.name` },
      })
      .returning({ id: contacts.id, externalId: contacts.externalId });
    for (const row of rows) ids.set(row.externalId, row.id);
  }
  return ids;
}

const MAX_ROWS = 1000;
const MESSAGES_AT_ONCE = 500;

export interface HistoryMessage {
  chatId: number;
  /** Author; null for the owner and for an unknown author. */
  contactId: number | null;
  fromOwner: boolean;
  /** Unique in the chat and identical in every import, so that a message is stored only once. */
  externalId: string;
  replyTo: string | null;
  kind: "text" | "said" | "forward" | "media";
  text: string;
  sentAt: Date;
}

/** Stores new messages and adds them to the source's counter. @returns the number of new ones */
export async function storeMessages(
  tx: Tx,
  tenant: Tenant,
  place: { twinId: string; sourceId: string },
  batch: readonly HistoryMessage[],
): Promise<number> {
  let stored = 0;
  let storing = Promise.resolve(0);
  for (let at = 0; at < batch.length; at += MESSAGES_AT_ONCE) {
    // The columns of this batch are prepared while the previous one is being stored.
    const statement = insertOf(tenant, place.twinId, batch.slice(at, at + MESSAGES_AT_ONCE));
    stored += await storing;
    storing = tx.execute(statement).then(({ rowCount }) => rowCount ?? 0);
    storing.catch(() => {});
  }
  stored += await storing;
  if (stored > 0) {
    await tx
      .update(sources)
      .set({ messageCount: sql`${sources.messageCount} + ${stored}` })
      .where(and(eq(sources.id, place.sourceId), eq(sources.orgId, tenant.organizationId)));
  }
  return stored;
}

// One array per column: any number of rows needs eight parameters, and the statement stays the same.
function insertOf(tenant: Tenant, twinId: string, rows: readonly HistoryMessage[]): SQL {
  return sql`
    insert into ${messages} (org_id, twin_id, chat_id, contact_id, from_owner, external_id, reply_to, kind, text, sent_at,
      is_training_data)
    select ${tenant.organizationId}::uuid, ${twinId}::uuid, new.*, new.kind in ('text', 'said') from unnest(
      ${bigints(rows.map((row) => row.chatId))}, ${bigints(rows.map((row) => row.contactId))},
      ${booleans(rows.map((row) => row.fromOwner))}, ${texts(rows.map((row) => row.externalId))},
      ${texts(rows.map((row) => row.replyTo))}, ${texts(rows.map((row) => row.kind))},
      ${texts(rows.map((row) => row.text))}, ${timestamps(rows.map((row) => row.sentAt))}
    ) as new (chat_id, contact_id, from_owner, external_id, reply_to, kind, text, sent_at)
    on conflict (chat_id, external_id) do nothing`;
}
