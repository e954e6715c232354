/**
 * Runs the job that fetches a recording or picture, keeps the original, has it recognised, and lets the twin answer. Each step is recorded
 * before the next and may be repeated, so a crash loses nothing and repeats no visible action.
 */
import { sql } from "drizzle-orm";
import { ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import { MediaUnavailable } from "#server/inbox/channel-protocol/fetch-media.ts";
import { countAttempt, type MediaRow, originalOf, takeBackAttempt } from "#server/models/media/attempts.ts";
import { PLATFORM_CONFIDENCE } from "#server/models/media/confidence-threshold.ts";
import { LONGEST_TEXT, MOST_ATTEMPTS } from "#server/models/media/limits.ts";
import { CRASHED_NOTE } from "#server/models/media/notes.ts";
import { readWithinLimits } from "#server/models/media/read-within-limits.ts";
import { type MediaOutcome, mayBeTriedAgain, notRecognized } from "#server/models/media/recognizer.ts";
import type { ReadersDeps } from "#server/models/media/settings.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { clearFailedFetch, type FetchDeps, fetchOriginal, type MediaJob, MediaRefused } from "./fetch-original.ts";
import { settleMedia } from "./settle-media.ts";

export interface AttemptDeps extends FetchDeps {
  jobs: Jobs;
  log: Log;
}

type ReadMediaDeps = AttemptDeps & Pick<ReadersDeps, "remote" | "localMedia">;

/** Runs the job `read-media`. @throws temporary errors, so that the job is retried */
export function readMedia(deps: ReadMediaDeps, job: MediaJob, signal: AbortSignal): Promise<void> {
  return runAttempt(deps, job, signal, async (waiting, last) => {
    const row = await fetchOriginal(deps, job, waiting, signal);
    if (row === null) return "done";
    // The process that fetches the original enqueues this job again.
    if (row === "elsewhere") return "not begun";
    const outcome =
      heardByPlatform(row) ?? (await readWithinLimits(deps, job, originalOf(row), { signal, maxChars: LONGEST_TEXT }));
    if (!outcome.ok && mayBeTriedAgain(outcome) && !last) throw new NotYet(outcome.message);
    await settleMedia(deps, job, row.id, outcome);
    return "done";
  });
}

/**
 * Counts an attempt and does the work; after a permanent or final failure the attachment is settled as not recognised.
 * @param work "not begun": the attempt does not count
 * @throws temporary errors, and the signal's reason
 */
export async function runAttempt(
  deps: AttemptDeps,
  job: MediaJob,
  signal: AbortSignal,
  work: (row: MediaRow, last: boolean) => Promise<"done" | "not begun">,
): Promise<void> {
  const begun = await begin(deps, job);
  if (begun === null) return;
  const { row, last } = begun;
  let failed = false;
  try {
    if ((await work(row, last)) === "not begun") await takeBackAttempt(deps.db, job, row.id);
  } catch (error) {
    failed = true;
    // The server is shutting down, so this is not a failure.
    if (signal.aborted) {
      await takeBackAttempt(deps.db, job, row.id).catch(() => {});
      throw error;
    }
    const final = error instanceof MediaRefused || error instanceof MediaUnavailable || last;
    if (!final) throw error;
    deps.log.warn({ err: error, mediaId: row.id }, "an original is not read");
    await settleMedia(deps, job, row.id, heardByPlatform(row) ?? notRecognized("unreadable", sentenceOf(error)));
  } finally {
    if (failed) clearFailedFetch(row.id);
  }
}

/** A recognition service is busy or unavailable; the job is retried. */
class NotYet extends Error {}

const sentenceOf = (error: unknown): string =>
  error instanceof MediaRefused ||
  error instanceof MediaUnavailable ||
  error instanceof NotYet ||
  error instanceof ChannelTrouble
    ? error.message
    : "Файл не удалось загрузить с платформы.";

/** Returns the platform's own transcript, which is valid even without the original; null: there is none. */
const heardByPlatform = ({ text }: MediaRow): MediaOutcome | null =>
  text === "" ? null : { ok: true, text, confidence: PLATFORM_CONFIDENCE };

/** Counts the attempt. Returns null if the work is done already, or was given up because it crashed the process too often. */
async function begin(deps: AttemptDeps, job: MediaJob): Promise<{ row: MediaRow; last: boolean } | null> {
  const row = await countAttempt(deps.db, job, job.mediaId);
  if (row === null) return null;
  if (row.attempts <= MOST_ATTEMPTS) return { row, last: row.attempts === MOST_ATTEMPTS };
  await settleMedia(deps, job, row.id, heardByPlatform(row) ?? notRecognized("unreadable", CRASHED_NOTE));
  return null;
}

/** Milliseconds after which a waiting attachment has lost its job and is enqueued again. */
const LOST_MS = 30 * 60_000;

/** Enqueues attachments without a job, because its tries were used up while the database or platform was unavailable. */
export async function resumeMedia({ db, jobs }: Pick<ReadMediaDeps, "db" | "jobs">, now = Date.now()): Promise<void> {
  // Joined by the event, whose message may already be in the conversation.
  const { rows } = await asPlatform(db, (tx) =>
    tx.execute<{ media: string; organization: string; integration: string; owner: string }>(sql`
      select m.id as media, m.org_id as organization, e.integration_id as integration, t.owner_id as owner
      from media_files m join inbox_events e on e.id = m.event_id or e.message_id = m.message_id
      join integrations i on i.id = e.integration_id join twins t on t.id = i.twin_id
      where m.state = 'waiting' and m.created_at < ${new Date(now - LOST_MS).toISOString()}::timestamptz limit 1000`),
  );
  for (const { media: mediaId, organization: organizationId, integration: integrationId, owner: userId } of rows) {
    const job = { organizationId, userId, integrationId, mediaId };
    await asTenant(db, job, (tx) => jobs.enqueue(tx, "read-media", job));
  }
}
