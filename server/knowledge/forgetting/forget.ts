/**
 * Deletes all data of a source or chat: its rows by cascade, and copies in other rows. The twin's answers in other conversations stay,
 * because they belong to those. For a person see forget-contact.ts.
 */
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { forgetAnswersAbout } from "#server/accounts/twins/idempotent-answers.ts";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { conversationLine } from "#server/accounts/twins/usage.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import {
  chats,
  contacts,
  indexSegments,
  messages,
  replyExamples,
  sources,
} from "#server/platform/db/schema/knowledge.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

export interface ForgettingContext {
  tx: Tx;
  jobs: Jobs;
  tenant: Tenant;
  twinId: string;
}

/** Runs in the caller's transaction, which must hold the lock on the twin's row; the twin is then trained on the rest. */
export async function forgetChats(context: ForgettingContext, chatIds: readonly number[]): Promise<void> {
  if (chatIds.length === 0) return;
  const { tx, twinId } = context;
  await dropQuotes(tx, twinId, sql`${replyExamples.chatId} = any(${sql.param(chatIds)}::bigint[])`);
  const gone = await tx
    .delete(chats)
    .where(and(inArray(chats.id, [...chatIds]), eq(chats.twinId, twinId)))
    .returning({ sourceId: chats.sourceId, externalId: chats.externalId });
  for (const sourceId of new Set(gone.map((chat) => chat.sourceId))) {
    const externalIds = gone.filter((chat) => chat.sourceId === sourceId).map((chat) => chat.externalId);
    await dropFromPreviews(tx, sourceId, externalIds);
    await recountSource(tx, sourceId);
  }
  await dropStrangers(tx, twinId);
  await rebuildKnowledge(context);
}

/** Deletes a source with all its chats. @returns files of its imports, which the caller removes after the commit */
export async function forgetSource(context: ForgettingContext, sourceId: string): Promise<string[]> {
  const { tx, twinId } = context;
  const own = await tx.select({ id: chats.id }).from(chats).where(eq(chats.sourceId, sourceId));
  await forgetChats(
    context,
    own.map((chat) => chat.id),
  );
  const [source] = await tx.select({ name: sources.name }).from(sources).where(eq(sources.id, sourceId));
  if (source !== undefined) {
    await tx
      .delete(activity)
      .where(and(eq(activity.twinId, twinId), eq(activity.description, conversationLine(source.name))));
  }
  // A running import of this source ends when it finds its row deleted.
  const ended = await tx
    .delete(imports)
    .where(eq(imports.sourceId, sourceId))
    .returning({ id: imports.id, storedName: imports.storedName });
  await forgetAnswersAbout(tx, [sourceId, ...ended.map((row) => row.id)]);
  await tx.delete(sources).where(eq(sources.id, sourceId));
  await rebuildKnowledge(context);
  return ended.flatMap((row) => row.storedName ?? []);
}

/** Answers store the pairs that they are based on. */
async function dropQuotes(tx: Tx, twinId: string, chosen: ReturnType<typeof sql>): Promise<void> {
  for (const table of [conversationMessages, outbox]) {
    await tx.execute(sql`
      update ${table} as kept set citations = kept.citations || '{"replyExamples": []}'
      from ${conversations} where ${conversations.id} = kept.conversation_id and ${conversations.twinId} = ${twinId}
      and jsonb_typeof(kept.citations->'replyExamples') = 'array' and exists (
        select 1 from jsonb_array_elements(kept.citations->'replyExamples') as quoted
        where quoted->>'reply' in (select reply from ${replyExamples} where ${chosen})
      )`);
  }
}

/** Stored import previews contain the names of chats. */
async function dropFromPreviews(tx: Tx, sourceId: string, externalIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update ${imports} set chat_ids = array(select unnest(chat_ids) except select unnest(${sql.param(externalIds)}::text[])),
      preview = jsonb_set(preview, '{chats}', coalesce((
        select jsonb_agg(chat) from jsonb_array_elements(preview->'chats') as chat
        where not chat->>'id' = any(${sql.param(externalIds)}::text[])), '[]'))
    where source_id = ${sourceId} and jsonb_typeof(preview->'chats') = 'array'`);
}

/** A file or paste without any messages left is deleted. */
async function recountSource(tx: Tx, sourceId: string): Promise<void> {
  const counted = sql`(select count(*) from ${messages} join ${chats} on ${chats.id} = ${messages.chatId}
    where ${chats.sourceId} = ${sourceId})`;
  await tx
    .update(sources)
    .set({ messageCount: sql`${counted}::int` })
    .where(eq(sources.id, sourceId));
  await tx.execute(sql`
    delete from ${sources} where id = ${sourceId} and kind <> 'integration'
    and not exists (select 1 from ${chats} where ${chats.sourceId} = ${sourceId})`);
}

async function dropStrangers(tx: Tx, twinId: string): Promise<void> {
  await tx.execute(sql`
    delete from ${contacts} where twin_id = ${twinId}
    and not exists (select 1 from ${messages} where ${messages.contactId} = ${contacts.id})
    and not exists (select 1 from ${conversations} where ${conversations.contactId} = ${contacts.id})`);
}

/** The index and the style still contain deleted data, so both are rebuilt from the rows. */
export async function rebuildKnowledge({ tx, jobs, tenant, twinId }: ForgettingContext): Promise<void> {
  // They count the people who received their words; the training chooses them anew.
  await tx.delete(styleSamples).where(and(eq(styleSamples.twinId, twinId), eq(styleSamples.origin, "common")));
  await tx
    .delete(indexSegments)
    .where(and(eq(indexSegments.twinId, twinId), inArray(indexSegments.kind, ["message", "example"])));
  await tx
    .update(twins)
    .set({ styleProfile: null, styleAccuracy: null })
    .where(and(eq(twins.id, twinId), isNotNull(twins.styleProfile)));
  await incrementKnowledgeVersion(tx, twinId);
  await requestTraining(tx, jobs, tenant, twinId);
}
