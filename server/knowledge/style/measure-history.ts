/** Measures the style profile of a twin's whole history in a worker thread. */
import { once } from "node:events";
import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type People, personOfContacts } from "#server/knowledge/messages/people.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chats, messages } from "#server/platform/db/schema/knowledge.ts";
import { AdaptiveBatchSize } from "#server/platform/process/adaptive-batch-size.ts";
import type { MeasuredStyle } from "./style-groups.ts";
import { takeStyleThread } from "./style-thread.ts";
import type { PackedMessages } from "./style-worker.ts";

const PAGE = 5000;
/** After this many messages the thread is replaced, because its heap has grown. */
const SHORT_HISTORY = 20_000;
const encoder = new TextEncoder();

/**
 * Measures private chats and groups. Channels and notes to oneself are excluded, because people write differently there.
 * @param onProgress receives the number of messages read so far
 * @returns null when the owner wrote no message; else the style and the people by which words are counted
 */
export async function measureHistory(
  db: Database,
  tenant: Tenant,
  twinId: string,
  { onProgress, signal }: { onProgress?: (messages: number) => Promise<void>; signal: AbortSignal },
): Promise<MeasuredHistory | null> {
  const { chats, people } = await listChats(db, tenant, twinId);
  if (chats.length === 0) return null;
  const { worker, died, giveBack, end } = takeStyleThread();
  const answer = async (): Promise<MeasuredStyle | null> =>
    (await Promise.race([once(worker, "message", { signal }), died]))[0];
  let read = 0;
  try {
    let measuring: Promise<unknown> = Promise.resolve();
    const portion = new AdaptiveBatchSize(PAGE);
    for (const chat of chats) {
      for await (const page of readChat(db, tenant, chat, portion)) {
        await measuring;
        measuring = answer();
        measuring.catch(() => {});
        worker.postMessage(page, [page.texts.buffer]);
        read += page.fromOwner.length;
        await onProgress?.(read);
      }
    }
    await measuring;
    const result = answer();
    worker.postMessage(null);
    const measured = await result;
    if (read <= SHORT_HISTORY) giveBack();
    return measured !== null && measured.style.messages > 0 ? { ...measured, people } : null;
  } finally {
    await end();
  }
}

export type MeasuredHistory = MeasuredStyle & { people: People };

interface OwnersChat {
  chatId: number;
  contactId: number | null;
  /** See `People`: contacts of one person on two platforms share a number. */
  person: number | null;
}

function listChats(db: Database, tenant: Tenant, twinId: string): Promise<{ chats: OwnersChat[]; people: People }> {
  const contact = sql`case when chats.kind = 'private' then (select m.contact_id from messages m
    where m.chat_id = chats.id and m.contact_id is not null limit 1) end`.mapWith((id: string | number) => Number(id));
  return asTenant(db, tenant, async (tx) => {
    const people = await personOfContacts(tx, twinId);
    const rows = await tx
      .select({ chatId: chats.id, contactId: contact as SQL<number | null> })
      .from(chats)
      .where(
        and(
          eq(chats.twinId, twinId),
          inArray(chats.kind, ["private", "group"]),
          sql`exists (select 1 from ${messages} where ${messages.chatId} = ${chats.id} and ${messages.fromOwner})`,
        ),
      )
      .orderBy(asc(chats.id));
    const personOf = (contactId: number | null) => (contactId === null ? null : people.get(contactId)!);
    return { people, chats: rows.map((chat) => ({ ...chat, person: personOf(chat.contactId) })) };
  });
}

async function* readChat(
  db: Database,
  tenant: Tenant,
  chat: OwnersChat,
  portion: AdaptiveBatchSize,
): AsyncGenerator<PackedMessages> {
  let after: MessagePage["last"] | null = null;
  for (;;) {
    const { rows } = portion;
    const page: MessagePage | null = await asTenant(db, tenant, (tx) =>
      portion.measure(
        () => readPage(tx, chat.chatId, after, rows),
        (read) => read?.times.length ?? 0,
      ),
    );
    if (page === null) return;
    const { last, texts, times, owners, said } = page;
    yield {
      ...chat,
      texts: encoder.encode(texts),
      sentAt: Float64Array.from(times),
      fromOwner: Uint8Array.from(owners),
      said: Uint8Array.from(said),
    };
    if (times.length < rows) return;
    after = last;
  }
}

/** Packed like `UnitPage` (twin-units.ts). */
interface MessagePage {
  /** Where the next page begins. */
  last: { at: string; id: number };
  /** Texts of the messages, as a JSON array of strings. */
  texts: string;
  /** Times of the messages, in milliseconds since 1970. */
  times: number[];
  /** 1 for the owner's messages, else 0. */
  owners: number[];
  /** 1 for words heard in a recording, else 0. */
  said: number[];
}

async function readPage(
  tx: Tx,
  chatId: number,
  after: MessagePage["last"] | null,
  messagesAtMost: number,
): Promise<MessagePage | null> {
  const behind = after === null ? sql`true` : sql`(sent_at, id) > (${after.at}::timestamptz, ${after.id})`;
  const { rows } = await tx.execute(sql`
    select json_build_object('at', max(sent_at), 'id', (array_agg(id))[count(*)]) as last,
      json_agg(text)::text as texts, json_agg(round(date_part('epoch', sent_at) * 1000)) as times,
      json_agg(from_owner::int) as owners, json_agg((kind = 'said')::int) as said
    from (
      select id, text, sent_at, from_owner, kind from messages
      where chat_id = ${chatId} and kind in ('text', 'said') and is_training_data and ${behind}
      order by sent_at, id limit ${messagesAtMost}
    ) page
    having count(*) > 0`);
  return (rows[0] as MessagePage | undefined) ?? null;
}
