/** When a twin passes to another owner, its former owner's private messages are deleted; published content stays. */
import { and, eq, inArray, ne, not, notInArray, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { blindTests, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import {
  conversationMessages,
  conversations,
  outbox,
  replyFeedback,
} from "#server/platform/db/schema/conversations.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { chunks, contacts, sources } from "#server/platform/db/schema/knowledge.ts";
import { corrections, declinedReplies, openReplies, styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { isShared } from "#server/platform/db/schema/secrecy.ts";
import { twins, twinVersions } from "#server/platform/db/schema/twins.ts";
import { type ForgettingContext, forgetSource, rebuildKnowledge } from "./forget.ts";

/**
 * Deletes sources with their chats, messages, pairs and copies, running imports, fidelity measures, and corrections for one contact or
 * for the owner alone. Documents, settings and corrections for everybody stay, as do the contacts' conversations with the
 * twin. Replies published by the owner become such corrections. It runs in the caller's transaction, which must hold the lock on the
 * twin's row; the twin is then trained on the rest.
 * @param formerOwner who has published them
 * @returns stored names of files, which the caller removes after the commit
 */
export async function forgetLetters(context: ForgettingContext, formerOwner: string): Promise<string[]> {
  const { tx, twinId } = context;
  const files: (string | null)[] = [];
  const opened = await tx
    .select()
    .from(openReplies)
    .where(and(eq(openReplies.twinId, twinId), eq(openReplies.origin, "opened"), eq(openReplies.state, "open")))
    .orderBy(openReplies.id);
  const own = await tx.select({ id: sources.id }).from(sources).where(eq(sources.twinId, twinId));
  for (const { id } of own) files.push(...(await forgetSource(context, id)));
  const previews = await tx
    .delete(imports)
    .where(eq(imports.twinId, twinId))
    .returning({ storedName: imports.storedName });
  const uploads = await tx
    .delete(exportUploads)
    .where(eq(exportUploads.twinId, twinId))
    .returning({ storedName: exportUploads.storedName });
  await tx.delete(fidelityMeasures).where(eq(fidelityMeasures.twinId, twinId));
  await tx.delete(blindTests).where(eq(blindTests.twinId, twinId));
  await tx.delete(chunks).where(and(eq(chunks.twinId, twinId), ne(chunks.audience, 0)));
  await tx.delete(declinedReplies).where(eq(declinedReplies.twinId, twinId));
  await tx.delete(openReplies).where(eq(openReplies.twinId, twinId));
  // What he wrote to show his manner is his manner, not his successor's.
  await tx.delete(styleSamples).where(eq(styleSamples.twinId, twinId));
  await forgetSelf(context);
  await forgetDerivedAnswers(context);
  await forgetCorrections(context);
  await keepOpened(context, formerOwner, opened);
  await rebuildKnowledge(context);
  return [...files, ...[...previews, ...uploads].map(({ storedName }) => storedName)].filter((name) => name !== null);
}

/** What he stated of himself is not true of his successor, who could restore it from a version. */
async function forgetSelf({ tx, twinId }: ForgettingContext): Promise<void> {
  await tx.update(twins).set({ selfPresentation: null }).where(eq(twins.id, twinId));
  await tx
    .update(twinVersions)
    .set({ snapshot: sql`${twinVersions.snapshot} - 'selfPresentation'` })
    .where(eq(twinVersions.twinId, twinId));
}

/** Replaces the text of an answer made from the former owner's messages. */
const FORGOTTEN = "Ответ удалён вместе с перепиской прежнего владельца двойника";

/** Deletes unsent answers to contacts that were made from the messages; sent ones lose their text here. */
async function forgetDerivedAnswers({ tx, twinId }: ForgettingContext): Promise<void> {
  const ofTwin = tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.twinId, twinId));
  const isPrivate = (secrecy: PgColumn) => not(isShared(secrecy));
  await tx.delete(replyFeedback).where(and(eq(replyFeedback.twinId, twinId), isPrivate(replyFeedback.secrecy)));
  const derived = and(inArray(outbox.conversationId, ofTwin), isPrivate(outbox.secrecy));
  await tx.delete(outbox).where(and(derived, notInArray(outbox.state, ["sent", "cancelled"])));
  await tx
    .update(outbox)
    .set({ text: FORGOTTEN, original: null, citations: null, secrecy: "organization" })
    .where(derived);
  await tx
    .update(conversationMessages)
    .set({ content: FORGOTTEN, citations: null, secrecy: "organization" })
    .where(and(inArray(conversationMessages.conversationId, ofTwin), isPrivate(conversationMessages.secrecy)));
}

/** Keeps corrections for everybody, without their conversation and the twin's original answer. */
async function forgetCorrections({ tx, twinId }: ForgettingContext): Promise<void> {
  await tx.delete(corrections).where(and(eq(corrections.twinId, twinId), ne(corrections.audience, 0)));
  await tx
    .update(corrections)
    .set({ context: [], twinReply: "", caseReply: null })
    .where(eq(corrections.twinId, twinId));
}

/** Turns a published reply, whose original message is deleted, into a correction; it is still deleted with its contact, if it has one. */
async function keepOpened(
  { tx, tenant, twinId }: ForgettingContext,
  formerOwner: string,
  opened: readonly (typeof openReplies.$inferSelect)[],
): Promise<void> {
  if (opened.length === 0) return;
  const people = opened.flatMap(({ contactId }) => contactId ?? []);
  const left = await tx.select({ id: contacts.id }).from(contacts).where(inArray(contacts.id, people));
  const isLeft = new Set(left.map(({ id }) => id));
  await tx.insert(corrections).values(
    opened.map(({ question, reply, contactId }) => ({
      orgId: tenant.organizationId,
      twinId,
      kind: "example" as const,
      question,
      context: [],
      twinReply: "",
      text: reply,
      audience: 0,
      contactId: contactId !== null && isLeft.has(contactId) ? contactId : null,
      caseKept: false,
      createdBy: formerOwner,
    })),
  );
}
