/** «Удалить всё об этом контакте»: deletes all data about one person wherever it is stored, and records the deletion. */
import { and, eq, inArray, isNotNull, like, or, sql } from "drizzle-orm";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { forgetAnswersAbout } from "#server/accounts/twins/idempotent-answers.ts";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { answerLine, conversationLine } from "#server/accounts/twins/usage.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { integrationEvents } from "#server/platform/db/schema/channels.ts";
import { conversations, inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import {
  chats,
  chunks,
  contacts,
  indexSegments,
  messages,
  replyExamples,
  sources,
} from "#server/platform/db/schema/knowledge.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { corrections, factProposals } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { forgetGapWords } from "./gap-words.ts";
import { forgetUnread } from "./unread-events.ts";

type Contact = typeof contacts.$inferSelect;
type ConversationRow = typeof conversations.$inferSelect;

/**
 * Deletes the contact's conversations, drafts, notes, memory, imported messages and whole private chats. It also deletes the examples and
 * index parts made of them, and the jobs, events and stored answers about the contact. The owner's messages in groups stay. It requests a
 * training that rebuilds the index. The caller's transaction must hold the lock on the twin's row.
 * @throws Problem 409 while an import could bring the contact back
 */
export async function forgetContact(tx: Tx, jobs: Jobs, caller: Caller, contactId: number): Promise<void> {
  const [contact] = await tx.select().from(contacts).where(eq(contacts.id, contactId));
  if (contact === undefined) return;
  await noImportRuns(tx, contact.twinId);
  const rows = await tx.select().from(conversations).where(eq(conversations.contactId, contact.id)).for("update");
  await forgetUnread(tx, contact, rows);
  await forgetTraces(tx, contact, rows);
  await jobs.forgetConversations(
    tx,
    rows.map(({ id, integrationId, externalId }) => ({ id, integrationId, key: externalId })),
  );
  await forgetHistory(tx, contact);
  await forgetGapWords(tx, contact.id);
  await tx.delete(conversations).where(eq(conversations.contactId, contact.id));
  await tx.delete(contacts).where(eq(contacts.id, contact.id));
  // The style figures include deleted messages; the training measures them again.
  await tx
    .update(twins)
    .set({ styleProfile: null, styleAccuracy: null })
    .where(and(eq(twins.id, contact.twinId), isNotNull(twins.styleProfile)));
  await incrementKnowledgeVersion(tx, contact.twinId);
  await requestTraining(tx, jobs, caller, contact.twinId);
  await auditInTenant(tx, {
    action: "contact-deleted",
    userId: caller.userId,
    organizationId: caller.organizationId,
    subject: String(contact.id),
    detail: { twinId: contact.twinId, conversations: rows.length },
  });
}

async function noImportRuns(tx: Tx, twinId: string): Promise<void> {
  const [open] = await tx
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.twinId, twinId), inArray(imports.status, ["reading", "preview", "running"])))
    .limit(1);
  if (open !== undefined) {
    throw conflict("import_open", "Сначала закончите или отмените импорт переписки: он вернул бы этого собеседника");
  }
}

/** Deletes data about the conversations that no foreign key connects to them. */
async function forgetTraces(tx: Tx, { twinId, name }: Contact, rows: readonly ConversationRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  const asked = await tx.select({ question: outbox.question }).from(outbox).where(inArray(outbox.conversationId, ids));
  const lines = [conversationLine(name), ...asked.map(({ question }) => answerLine(question))];
  await tx.delete(activity).where(and(eq(activity.twinId, twinId), inArray(activity.description, [...new Set(lines)])));
  await forgetAnswersAbout(tx, ids);
  for (const { integrationId, externalId, participantName } of rows) {
    if (integrationId === null || externalId === null) continue;
    await tx
      .delete(inboxEvents)
      .where(and(eq(inboxEvents.integrationId, integrationId), eq(inboxEvents.conversationKey, externalId)));
    await tx
      .delete(integrationEvents)
      .where(
        and(
          eq(integrationEvents.integrationId, integrationId),
          like(integrationEvents.text, `${participantName.replace(/[\\%_]/g, "\\$&")}:%`),
        ),
      );
  }
}

/** Deletes question wordings of confirmed facts that only this person used; wordings of others and of the owner stay. */
async function forgetAsked(tx: Tx, contactId: number): Promise<void> {
  await tx.execute(sql`
    delete from ${corrections} where id in (
      select found.correction_id from ${factProposals} found join ${replyExamples} on ${replyExamples.id} = found.reply_example_id
      where ${replyExamples.contactId} = ${contactId} and found.people = 1 and found.question = ${corrections.question})`);
}

async function forgetHistory(tx: Tx, contact: Contact): Promise<void> {
  const { id: contactId, twinId } = contact;
  const gone = await tx
    .select({ id: chats.id, externalId: chats.externalId, sourceId: chats.sourceId })
    .from(chats)
    .where(
      and(
        eq(chats.twinId, twinId),
        eq(chats.kind, "private"),
        sql`exists (select 1 from ${messages} where ${messages.chatId} = ${chats.id} and ${messages.contactId} = ${contactId})`,
      ),
    );
  const chatIds = gone.map(({ id }) => id);
  const ofThem = or(
    eq(messages.contactId, contactId),
    chatIds.length > 0 ? inArray(messages.chatId, chatIds) : undefined,
  );
  await forgetQuoted(tx, contact);
  await forgetAsked(tx, contactId);
  await dropSegments(tx, twinId, "message", sql`select id from ${messages} where ${ofThem}`);
  await dropSegments(
    tx,
    twinId,
    "example",
    sql`select id from ${replyExamples} where ${eq(replyExamples.contactId, contactId)}${
      chatIds.length > 0 ? sql` or ${inArray(replyExamples.chatId, chatIds)}` : sql``
    }`,
  );
  await dropSegments(tx, twinId, "chunk", sql`select id from ${chunks} where ${eq(chunks.audience, contactId)}`);
  await tx.delete(chunks).where(and(eq(chunks.twinId, twinId), eq(chunks.audience, contactId)));
  await tx.execute(sql`
    update ${sources} set message_count = greatest(0, message_count - lost.total)
    from (select ${chats.sourceId} as id, count(*)::int as total from ${messages} join ${chats} on ${chats.id} = ${messages.chatId}
      where ${messages.twinId} = ${twinId} and (${ofThem}) group by ${chats.sourceId}) lost
    where ${sources.id} = lost.id`);
  if (chatIds.length > 0) await tx.delete(chats).where(inArray(chats.id, chatIds));
  const emptied = [...new Set(gone.map(({ sourceId }) => sourceId))];
  if (emptied.length > 0) {
    // The source's name is often the contact's name.
    await tx
      .delete(sources)
      .where(
        and(
          inArray(sources.id, emptied),
          sql`not exists (select 1 from ${chats} where ${chats.sourceId} = ${sources.id})`,
        ),
      );
  }
  await forgetInPreviews(tx, contact, new Set(gone.map(({ externalId }) => externalId)));
}

const REMOVED = "[удалено вместе с собеседником]";

/**
 * Deletes quotations of the contact in the owner's test chats, as a tried question or as an answer's source, and corrections made there.
 */
async function forgetQuoted(tx: Tx, { id: contactId, twinId }: Contact): Promise<void> {
  const incoming = sql`(select ${replyExamples.incoming} from ${replyExamples} where ${replyExamples.contactId} = ${contactId})`;
  const tests = sql`(select id from ${conversations} where twin_id = ${twinId} and user_id is not null)`;
  await tx.execute(
    sql`update conversations set last_message = ${REMOVED} where id in ${tests} and last_message in ${incoming}`,
  );
  await tx.execute(
    sql`update conversation_messages set content = ${REMOVED} where conversation_id in ${tests} and content in ${incoming}`,
  );
  await tx.execute(sql`
    delete from corrections where twin_id = ${twinId} and (question in ${incoming} or exists (
      select 1 from jsonb_array_elements(context) turn where turn->>'content' in ${incoming}))
    and not exists (select 1 from ${factProposals} found where found.correction_id = corrections.id and found.people > 1)`);
  await tx.execute(sql`
    update conversation_messages set citations = jsonb_set(citations, '{replyExamples}', coalesce((
      select jsonb_agg(one) from jsonb_array_elements(citations->'replyExamples') one
      where one->>'incoming' is null or one->>'incoming' not in ${incoming}), '[]'))
    where conversation_id in ${tests} and jsonb_typeof(citations->'replyExamples') = 'array' and exists (
      select 1 from jsonb_array_elements(citations->'replyExamples') one where one->>'incoming' in ${incoming})`);
}

/** Deletes index segments that contain the contact's words, because the index stores words. */
async function dropSegments(
  tx: Tx,
  twinId: string,
  kind: (typeof indexSegments.$inferSelect)["kind"],
  units: ReturnType<typeof sql>,
): Promise<void> {
  await tx
    .delete(indexSegments)
    .where(
      and(
        eq(indexSegments.twinId, twinId),
        eq(indexSegments.kind, kind),
        sql`exists (select 1 from (${units}) gone where gone.id between ${indexSegments.firstId} and ${indexSegments.lastId})`,
      ),
    );
}

interface KeptPreview {
  chats?: { id: string }[];
  people?: { id: string }[];
}

/** Removes the contact's chats from finished imports, which still list the chosen chats. */
async function forgetInPreviews(tx: Tx, contact: Contact, chatIds: ReadonlySet<string>): Promise<void> {
  const rows = await tx
    .select({ id: imports.id, preview: imports.preview, chatIds: imports.chatIds })
    .from(imports)
    .where(eq(imports.twinId, contact.twinId));
  for (const row of rows) {
    const preview = row.preview as KeptPreview | null;
    const people = preview?.people?.filter(({ id }) => id !== contact.externalId);
    const shown = preview?.chats?.filter(({ id }) => !chatIds.has(id));
    await tx
      .update(imports)
      .set({
        preview:
          preview === null ? null : { ...preview, ...(people ? { people } : {}), ...(shown ? { chats: shown } : {}) },
        chatIds: row.chatIds?.filter((id) => !chatIds.has(id)) ?? null,
      })
      .where(eq(imports.id, row.id));
  }
}
