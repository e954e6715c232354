/** The style profile of a twin's whole history, read by key and measured in a worker thread. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { chats, messages } from "#server/db/schema.ts";
import type { MeasuredStyle } from "./style-groups.ts";
import type { PackedMessages } from "./style-worker.ts";

const PAGE = 5000;

/**
 * Measures the texts of private chats and groups; channels and notes to oneself are another way of writing.
 * @param onProgress gets the number of messages read so far
 * @returns null when no message is the owner's
 */
export async function measureHistory(
  db: Database,
  tenant: Tenant,
  twinId: string,
  { onProgress, signal }: { onProgress?: (messages: number) => Promise<void>; signal: AbortSignal },
): Promise<MeasuredStyle | null> {
  const talks = await listTalks(db, tenant, twinId);
  if (talks.length === 0) return null;
  // Far above what the counters of a thousand people need; with a smaller heap in view V8 clears up sooner.
  const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };
  const worker = new Worker(new URL("style-worker.ts", import.meta.url), { resourceLimits });
  // It may die while nobody waits for it.
  const died = new Promise<never>((_, reject) => worker.once("error", reject));
  died.catch(() => {});
  const answer = async (): Promise<MeasuredStyle | null> =>
    (await Promise.race([once(worker, "message", { signal }), died]))[0];
  try {
    let read = 0;
    // One page is measured while the next is read.
    let measuring: Promise<unknown> = Promise.resolve();
    for (const talk of talks) {
      for await (const page of readChat(db, tenant, talk)) {
        await measuring;
        measuring = answer();
        measuring.catch(() => {});
        worker.postMessage(page);
        read += page.fromOwner.length;
        await onProgress?.(read);
      }
    }
    await measuring;
    const result = answer();
    worker.postMessage(null);
    const measured = await result;
    return measured !== null && measured.style.messages > 0 ? measured : null;
  } finally {
    await worker.terminate();
  }
}

interface OwnersTalk {
  chatId: number;
  /** With whom, in a private chat. */
  contactId: number | null;
}

/** Chats in which the owner says something. */
function listTalks(db: Database, tenant: Tenant, twinId: string): Promise<OwnersTalk[]> {
  const contact = sql`case when chats.kind = 'private' then (select m.contact_id from messages m
    where m.chat_id = chats.id and m.contact_id is not null limit 1) end`.mapWith((id: string | number) => Number(id));
  return asTenant(db, tenant, (tx) =>
    tx
      .select({ chatId: chats.id, contactId: contact as SQL<number | null> })
      .from(chats)
      .where(
        and(
          eq(chats.twinId, twinId),
          inArray(chats.kind, ["private", "group"]),
          sql`exists (select 1 from ${messages} where ${messages.chatId} = ${chats.id} and ${messages.fromOwner})`,
        ),
      )
      .orderBy(asc(chats.id)),
  );
}

async function* readChat(db: Database, tenant: Tenant, talk: OwnersTalk): AsyncGenerator<PackedMessages> {
  let after: { sentAt: Date; id: number } | null = null;
  for (;;) {
    const rows: { id: number; text: string; sentAt: Date; fromOwner: boolean }[] = await asTenant(db, tenant, (tx) =>
      tx
        .select({ id: messages.id, text: messages.text, sentAt: messages.sentAt, fromOwner: messages.fromOwner })
        .from(messages)
        .where(
          and(
            eq(messages.chatId, talk.chatId),
            eq(messages.kind, "text"),
            eq(messages.isTrainingData, true),
            after === null
              ? undefined
              : sql`(${messages.sentAt}, ${messages.id}) > (${after.sentAt.toISOString()}::timestamptz, ${after.id})`,
          ),
        )
        .orderBy(asc(messages.sentAt), asc(messages.id))
        .limit(PAGE),
    );
    if (rows.length > 0) {
      yield {
        ...talk,
        texts: rows.map((row) => row.text).join("\0"),
        sentAt: Float64Array.from(rows, (row) => row.sentAt.getTime()),
        fromOwner: Uint8Array.from(rows, (row) => (row.fromOwner ? 1 : 0)),
      };
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)!;
  }
}
