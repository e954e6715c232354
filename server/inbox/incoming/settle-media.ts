/** Stores, once, the text of a recording or picture, or that it is unreadable; then the twin can answer. */
import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import { Inbound, type MediaText } from "#server/inbox/channel-protocol/channel.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import {
  lockTwinOfIntegration,
  preview,
  transcriptText,
} from "#server/inbox/conversation-control/contact-conversation.ts";
import { cutAtWord } from "#server/models/media/cut-at-word.ts";
import { LONGEST_TEXT } from "#server/models/media/limits.ts";
import { EMPTY_NOTES } from "#server/models/media/notes.ts";
import type { MediaOutcome } from "#server/models/media/recognizer.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { isBeingRead } from "./incoming-media.ts";

type MediaJob = JobData["read-media"];

/**
 * Changes in one transaction the row, the event, the line of the transcript, and the job that answers. Does nothing if it is settled
 * already.
 */
export function settleMedia(
  { db, jobs }: { db: Database; jobs: Jobs },
  job: MediaJob,
  mediaId: string,
  outcome: MediaOutcome,
): Promise<void> {
  return asTenant(db, job, async (tx) => {
    // Answers and changes by the contact lock in the same order: the twin, the conversation, the event, then its rows.
    await lockTwinOfIntegration(tx, job.integrationId);
    const event = await eventOf(tx, mediaId);
    // Words of a recording that the contact has deleted or replaced meanwhile are not kept.
    const isThere = event === null || event.inbound.media?.[event.place] !== undefined;
    const text = outcome.ok && isThere ? textOf(outcome.text) : "";
    const read = outcome.ok && text !== "";
    const [row] = await tx
      .update(mediaFiles)
      .set({
        ...{ state: outcome.ok ? "done" : "failed", text, readAt: new Date() },
        ...{ confidence: read ? Math.min(1, Math.max(0, outcome.confidence)) : null },
        language: (outcome.ok && outcome.language) || null,
        note: outcome.ok ? (read ? null : EMPTY_NOTES[event?.kind ?? "speech"]) : outcome.message,
      })
      .where(and(eq(mediaFiles.id, mediaId), eq(mediaFiles.state, "waiting")))
      .returning();
    if (row === undefined || event === null || !isThere) return;
    const inbound = withWords(event.inbound, {
      ...{ place: row.place, text: row.text, confidence: row.confidence },
    });
    await tx.update(inboxEvents).set({ inbound }).where(eq(inboxEvents.id, event.id));
    if (event.messageId !== null) await rewriteLine(tx, event.messageId, transcriptText(inbound));
    if (isBeingRead(inbound) || event.status !== "pending") return;
    const { organizationId, userId, integrationId } = job;
    const waiting = { organizationId, userId, integrationId, conversationKey: event.conversationKey };
    await jobs.enqueue(tx, "process-inbox", waiting);
  });
}

const textOf = (text: string): string => cutAtWord(sanitizeText(text), LONGEST_TEXT);

/** Locks the conversation and the event. Null: the event was deleted by age, and only the transcript is left. */
async function eventOf(tx: Tx, mediaId: string) {
  const [media] = await tx
    .select({
      ...{ kind: mediaFiles.kind, place: mediaFiles.place },
      ...{ eventId: mediaFiles.eventId, messageId: mediaFiles.messageId },
    })
    .from(mediaFiles)
    .where(eq(mediaFiles.id, mediaId));
  if (media === undefined) return null;
  const isOfMedia = or(
    media.eventId === null ? undefined : eq(inboxEvents.id, media.eventId),
    media.messageId === null ? undefined : eq(inboxEvents.messageId, media.messageId),
  );
  const place = tx
    .select({ id: conversations.id })
    .from(conversations)
    .innerJoin(
      inboxEvents,
      and(
        eq(inboxEvents.integrationId, conversations.integrationId),
        eq(inboxEvents.conversationKey, conversations.externalId),
      ),
    )
    .where(isOfMedia);
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(inArray(conversations.id, place))
    .for("no key update");
  const [event] = await tx.select().from(inboxEvents).where(isOfMedia).for("update");
  if (event === undefined || event.inbound === null) return null;
  return { ...event, inbound: Inbound.parse(event.inbound), kind: media.kind, place: media.place };
}

const withWords = (inbound: Inbound, words: MediaText): Inbound => ({
  ...inbound,
  words: [...(inbound.words ?? []).filter(({ place }) => place !== words.place), words].sort(
    (a, b) => a.place - b.place,
  ),
});

/** Replaces the text of a line, and the preview of its conversation if it is the last one. */
export async function rewriteLine(tx: Tx, messageId: number, content: string): Promise<void> {
  const [line] = await tx
    .update(conversationMessages)
    .set({ content })
    .where(eq(conversationMessages.id, messageId))
    .returning({ conversationId: conversationMessages.conversationId });
  if (line === undefined) return;
  const [last] = await tx
    .select({ id: conversationMessages.id })
    .from(conversationMessages)
    .where(eq(conversationMessages.conversationId, line.conversationId))
    .orderBy(desc(conversationMessages.id))
    .limit(1);
  // A change of the conversation updates open screens, even if the line is not its last.
  const set =
    last?.id === messageId ? { lastMessage: preview(content) } : { updatedAt: sql`${conversations.updatedAt}` };
  await tx.update(conversations).set(set).where(eq(conversations.id, line.conversationId));
}
