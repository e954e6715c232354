/** The job that reads a document's recording or picture. Text with low confidence waits until a member has checked it. */
import { and, eq, sql } from "drizzle-orm";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { countAttempt, originalOf, runCountedAttempt } from "#server/models/media/attempts.ts";
import { isConfident } from "#server/models/media/confidence-threshold.ts";
import { LONGEST_DOCUMENT_TEXT } from "#server/models/media/limits.ts";
import { EMPTY_NOTES, NO_BETTER_RESULT_NOTE } from "#server/models/media/notes.ts";
import { type ReadingDeps, readWithinLimits } from "#server/models/media/read-within-limits.ts";
import { type MediaOutcome, mayBeTriedAgain, notRecognized } from "#server/models/media/recognizer.ts";
import { asPlatform, asTenant, type Database } from "#server/platform/db/database.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";

interface ReadOriginalDeps extends ReadingDeps {
  jobs: Jobs;
  log: Log;
}

type ReadOriginalJob = JobData["read-original"];

/** Job `read-original`. @throws temporary errors, so that the job is retried */
export async function readOriginal(deps: ReadOriginalDeps, job: ReadOriginalJob, signal: AbortSignal): Promise<void> {
  const row = await countAttempt(deps.db, job, job.mediaId);
  if (row === null) return;
  await runCountedAttempt(
    deps,
    job,
    row,
    signal,
    async (last) => {
      const outcome = await readWithinLimits(deps, job, originalOf(row), { signal, maxChars: LONGEST_DOCUMENT_TEXT });
      if (!outcome.ok && mayBeTriedAgain(outcome) && !last) throw new Error(outcome.message);
      await settle(deps, job, outcome);
    },
    (message) => settle(deps, job, notRecognized("unreadable", message)),
  );
}

/** Stores row, document and training request in one transaction, once. */
function settle({ db, jobs }: ReadOriginalDeps, job: ReadOriginalJob, outcome: MediaOutcome): Promise<void> {
  return asTenant(db, job, async (tx) => {
    const [found] = await tx
      .select({ twinId: documents.twinId, kind: mediaFiles.kind })
      .from(mediaFiles)
      .innerJoin(documents, eq(documents.id, mediaFiles.documentId))
      .where(eq(mediaFiles.id, job.mediaId));
    if (found === undefined) return;
    const { twinId } = found;
    // Every transaction that changes a twin's knowledge locks the twin first; another order could deadlock.
    await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, twinId)).for("no key update");
    const [before] = await tx
      .select({ confidence: mediaFiles.confidence })
      .from(mediaFiles)
      .where(and(eq(mediaFiles.id, job.mediaId), eq(mediaFiles.state, "waiting")));
    if (before === undefined) return;
    const text = outcome.ok ? outcome.text.replaceAll("\0", "").toWellFormed().trim() : "";
    const confidence = outcome.ok && text !== "" ? Math.min(1, Math.max(0, outcome.confidence)) : null;
    const note = !outcome.ok ? outcome.message : text === "" ? EMPTY_NOTES[found.kind] : null;
    // An earlier text is replaced only by one with higher confidence.
    const keeps = before.confidence !== null && (confidence ?? 0) <= before.confidence;
    const [row] = await tx
      .update(mediaFiles)
      .set({
        ...{ state: outcome.ok || keeps ? "done" : "failed", readAt: new Date() },
        ...(keeps
          ? { note: note ?? NO_BETTER_RESULT_NOTE }
          : { confidence, note, language: (outcome.ok && outcome.language) || null }),
      })
      .where(and(eq(mediaFiles.id, job.mediaId), eq(mediaFiles.state, "waiting")))
      .returning();
    if (row === undefined) return;
    const status = row.confidence === null ? "failed" : isConfident(row.confidence) ? "processed" : "unsure";
    await tx
      .update(documents)
      .set({ status, ...(keeps ? {} : { content: text }) })
      .where(eq(documents.id, row.documentId!));
    if (status !== "processed") return;
    await incrementKnowledgeVersion(tx, twinId);
    await requestTraining(tx, jobs, job, twinId);
  });
}

const LOST_MS = 30 * 60_000;

/** Enqueues documents that wait without a job, because its attempts were used up while the database or service was unavailable. */
export async function resumeOriginals({ db, jobs }: { db: Database; jobs: Jobs }, now = Date.now()): Promise<void> {
  const { rows } = await asPlatform(db, (tx) =>
    tx.execute<{ media: string; organization: string; owner: string }>(sql`
      select m.id as media, m.org_id as organization, t.owner_id as owner
      from media_files m join documents d on d.id = m.document_id join twins t on t.id = d.twin_id
      where m.state = 'waiting' and m.created_at < ${new Date(now - LOST_MS).toISOString()}::timestamptz limit 1000`),
  );
  for (const { media: mediaId, organization: organizationId, owner: userId } of rows) {
    const job = { organizationId, userId, mediaId };
    await asTenant(db, job, (tx) => jobs.enqueue(tx, "read-original", job));
  }
}
