/**
 * The job that recognises a recording or picture of an imported message. Reliable text becomes the message's text; unreliable text is only
 * shown beside it and not learnt. After an import's last attachment, the twin learns from all of them.
 */
import { and, asc, eq, sql } from "drizzle-orm";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { pairChats } from "#server/knowledge/messages/pair-chats.ts";
import {
  countAttempt,
  type MediaRow,
  originalOf,
  runCountedAttempt,
  takeBackAttempt,
} from "#server/models/media/attempts.ts";
import { isConfident } from "#server/models/media/confidence-threshold.ts";
import { cutAtWord } from "#server/models/media/cut-at-word.ts";
import { LONGEST_TEXT } from "#server/models/media/limits.ts";
import { EMPTY_NOTES } from "#server/models/media/notes.ts";
import { type ReadingDeps, readWithinLimits } from "#server/models/media/read-within-limits.ts";
import { type MediaOutcome, mayBeTriedAgain, notRecognized } from "#server/models/media/recognizer.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { indexSegments, messages } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";

interface ReadImportedDeps extends ReadingDeps {
  jobs: Jobs;
  log: Log;
}

type ReadImportedJob = JobData["read-imported"];

/** Share of the daily budget for imported history; the rest is for contacts who write now. */
const SHARE_OF_DAY = 0.5;
/** Milliseconds after which a recording is given up that no daily budget had room for. */
const WAITS_AT_MOST_MS = 60 * 24 * 3600_000;

/** Runs the job `read-imported`. @throws temporary errors, so that the job is retried */
export async function readImported(deps: ReadImportedDeps, job: ReadImportedJob, signal: AbortSignal): Promise<void> {
  const row = await countAttempt(deps.db, job, job.mediaId);
  if (row !== null && row.storedAt !== null) {
    const outcome = await read(deps, job, row, signal);
    if (outcome === "another day") return;
    await settle(deps.db, job, outcome);
  }
  // Runs even when the last run crashed between settling the row and learning.
  await learnWhenAllIsRead(deps, job, job.mediaId, signal);
}

const read = (
  deps: ReadImportedDeps,
  job: ReadImportedJob,
  row: MediaRow,
  signal: AbortSignal,
): Promise<MediaOutcome | "another day"> =>
  runCountedAttempt<MediaOutcome | "another day">(
    deps,
    job,
    row,
    signal,
    async (last) => {
      const bounds = { signal, maxChars: LONGEST_TEXT, shareOfDay: SHARE_OF_DAY };
      const outcome = await readWithinLimits(deps, job, originalOf(row), bounds);
      if (outcome.ok) return outcome;
      if (outcome.kind === "spent" && Date.now() - row.createdAt.getTime() < WAITS_AT_MOST_MS) {
        await takeBackAttempt(deps.db, job, row.id);
        return "another day";
      }
      if (mayBeTriedAgain(outcome) && !last) throw new Error(outcome.message);
      return outcome;
    },
    (message) => notRecognized("unreadable", message),
  );

/** Stores the outcome in the row and its message in one transaction, once. */
function settle(db: Database, job: ReadImportedJob, outcome: MediaOutcome): Promise<void> {
  return asTenant(db, job, async (tx) => {
    const [found] = await tx
      .select({ twinId: messages.twinId, kind: mediaFiles.kind, messageId: messages.id })
      .from(mediaFiles)
      .innerJoin(messages, eq(messages.id, mediaFiles.importedMessageId))
      .where(eq(mediaFiles.id, job.mediaId));
    if (found === undefined) return;
    // The twin is locked first, as in all transactions that change its knowledge.
    await lockTwin(tx, found.twinId);
    const text = outcome.ok ? cutAtWord(outcome.text.replaceAll("\0", "").toWellFormed().trim(), LONGEST_TEXT) : "";
    const [row] = await tx
      .update(mediaFiles)
      .set({
        ...{ state: outcome.ok ? "done" : "failed", text, readAt: new Date() },
        confidence: outcome.ok && text !== "" ? Math.min(1, Math.max(0, outcome.confidence)) : null,
        language: (outcome.ok && outcome.language) || null,
        note: !outcome.ok ? outcome.message : text === "" ? EMPTY_NOTES[found.kind] : null,
      })
      .where(and(eq(mediaFiles.id, job.mediaId), eq(mediaFiles.state, "waiting")))
      .returning({ id: mediaFiles.id });
    if (row !== undefined) await writeWords(tx, found.messageId);
  });
}

const lockTwin = (tx: Tx, twinId: string) =>
  tx.select({ id: twins.id }).from(twins).where(eq(twins.id, twinId)).for("no key update");

/** Gives a message without its own text the text of its recordings, or else of its pictures. */
async function writeWords(tx: Tx, messageId: number): Promise<void> {
  const read = await tx
    .select({ kind: mediaFiles.kind, text: mediaFiles.text, confidence: mediaFiles.confidence })
    .from(mediaFiles)
    .where(and(eq(mediaFiles.importedMessageId, messageId), eq(mediaFiles.state, "done")))
    .orderBy(asc(mediaFiles.place));
  const clear = read.filter(({ confidence, text }) => isConfident(confidence) && text !== "");
  const said = clear.filter(({ kind }) => kind === "speech");
  const words = (said.length > 0 ? said : clear).map(({ text }) => text).join("\n");
  if (words === "") return;
  await tx
    .update(messages)
    .set({ text: words, ...(said.length > 0 ? { kind: "said" as const, isTrainingData: true } : {}) })
    .where(and(eq(messages.id, messageId), sql`${messages.kind} in ('media', 'said')`));
}

/**
 * Pairs questions and replies again, and has the new texts indexed. Safe to repeat.
 * @param mediaId one of the import's attachments; nothing happens while another one is waiting
 */
export async function learnWhenAllIsRead(
  { db, jobs }: { db: Database; jobs: Jobs },
  tenant: Tenant,
  mediaId: string,
  signal: AbortSignal,
): Promise<void> {
  const brought = await asTenant(db, tenant, (tx) => broughtWith(tx, mediaId));
  if (brought === null) return;
  const { twinId, chatIds, messageIds } = brought;
  await pairChats(db, tenant, twinId, chatIds, signal);
  await asTenant(db, tenant, async (tx) => {
    await lockTwin(tx, twinId);
    // These segments were built while the messages had no text, so they are built again.
    await tx.delete(indexSegments).where(
      and(
        eq(indexSegments.twinId, twinId),
        eq(indexSegments.kind, "message"),
        sql`exists (select 1 from unnest(${sql.param(messageIds)}::bigint[]) as changed(id)
            where changed.id between ${indexSegments.firstId} and ${indexSegments.lastId})`,
      ),
    );
    await incrementKnowledgeVersion(tx, twinId);
    await requestTraining(tx, jobs, tenant, twinId);
  });
}

/** null: an attachment of the import is still waiting, or none has any text. */
async function broughtWith(
  tx: Tx,
  mediaId: string,
): Promise<{ twinId: string; chatIds: number[]; messageIds: number[] } | null> {
  const [one] = await tx.select({ importId: mediaFiles.importId }).from(mediaFiles).where(eq(mediaFiles.id, mediaId));
  if (one === undefined) return null;
  const rows = await tx
    .select({
      state: mediaFiles.state,
      confidence: mediaFiles.confidence,
      twinId: messages.twinId,
      chatId: messages.chatId,
      messageId: messages.id,
    })
    .from(mediaFiles)
    .innerJoin(messages, eq(messages.id, mediaFiles.importedMessageId))
    .where(one.importId === null ? eq(mediaFiles.id, mediaId) : eq(mediaFiles.importId, one.importId));
  if (rows.some(({ state }) => state === "waiting")) return null;
  const clear = rows.filter(({ confidence }) => isConfident(confidence));
  const [first] = clear;
  if (first === undefined) return null;
  return {
    twinId: first.twinId,
    chatIds: [...new Set(clear.map(({ chatId }) => chatId))],
    messageIds: clear.map(({ messageId }) => messageId),
  };
}

/** Milliseconds after which a waiting attachment has lost its job, or found no room in the daily budget. */
const LOST_MS = 30 * 60_000;
const AT_ONCE = 1000;

export async function resumeImported({ db, jobs }: { db: Database; jobs: Jobs }, now = Date.now()): Promise<void> {
  const { rows } = await asPlatform(db, (tx) =>
    tx.execute<{ media: string; organization: string; owner: string }>(sql`
      select m.id as media, m.org_id as organization, t.owner_id as owner
      from media_files m join messages i on i.id = m.imported_message_id join twins t on t.id = i.twin_id
      where m.state = 'waiting' and m.stored_at < ${new Date(now - LOST_MS).toISOString()}::timestamptz
      order by m.created_at limit ${AT_ONCE}`),
  );
  for (const { media: mediaId, organization: organizationId, owner: userId } of rows) {
    const job = { organizationId, userId, mediaId };
    await asTenant(db, job, (tx) => jobs.enqueue(tx, "read-imported", job));
  }
}
