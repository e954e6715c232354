/**
 * The job that fetches a recording or a picture from its platform, keeps the original, has it read, and lets the twin answer. Each step is
 * written down before the next begins, and each may be repeated: whatever the process ends at, nothing is lost and no visible action is
 * repeated.
 */
import { sql } from "drizzle-orm";
import { PLATFORM_CONFIDENCE } from "#server/models/media/confidence-threshold.ts";
import { LONGEST_TEXT, MOST_ATTEMPTS } from "#server/models/media/limits.ts";
import { countAttempt, type MediaRow, originalOf, takeBackAttempt } from "#server/models/media/originals/attempts.ts";
import { CRASHED_NOTE } from "#server/models/media/originals/notes.ts";
import { readWithinLimits } from "#server/models/media/readers/read-within-limits.ts";
import type { ReadersDeps } from "#server/models/media/readers/settings.ts";
import { type MediaOutcome, mayBeTriedAgain, notRecognized } from "#server/models/media/recognizer.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { ChannelTrouble } from "../../protocol/channel.ts";
import { MediaUnavailable } from "../../protocol/fetch-media.ts";
import { clearFailedFetch, type FetchDeps, fetchOriginal, type MediaJob, MediaRefused } from "./fetch-original.ts";
import { settleMedia } from "./settle-media.ts";

export interface AttemptDeps extends FetchDeps {
  jobs: Jobs;
  log: Log;
}

type ReadMediaDeps = AttemptDeps & Pick<ReadersDeps, "remote" | "localMedia">;

/** Job `read-media`. @throws what may pass, so that the job is tried again */
export function readMedia(deps: ReadMediaDeps, job: MediaJob, signal: AbortSignal): Promise<void> {
  return runAttempt(deps, job, signal, async (waiting, last) => {
    const row = await fetchOriginal(deps, job, waiting, signal);
    if (row === null) return "done";
    // The process that fetches it enqueues this job again.
    if (row === "elsewhere") return "not begun";
    const outcome =
      heardByPlatform(row) ?? (await readWithinLimits(deps, job, originalOf(row), { signal, maxChars: LONGEST_TEXT }));
    if (!outcome.ok && mayBeTriedAgain(outcome) && !last) throw new NotYet(outcome.message);
    await settleMedia(deps, job, row.id, outcome);
    return "done";
  });
}

/**
 * Counts an attempt and does the work; a permanent or final failure is settled as unread.
 * @param work "not begun": the attempt does not count
 * @throws what may pass, and the signal's reason
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
    // The server stops: nothing has failed.
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

/** A service that is busy or away: the job is tried again. */
class NotYet extends Error {}

const sentenceOf = (error: unknown): string =>
  error instanceof MediaRefused ||
  error instanceof MediaUnavailable ||
  error instanceof NotYet ||
  error instanceof ChannelTrouble
    ? error.message
    : "Файл не удалось загрузить с платформы.";

/** What the platform has understood stands, whether the original could be fetched or not; null: it has understood nothing. */
const heardByPlatform = ({ text }: MediaRow): MediaOutcome | null =>
  text === "" ? null : { ok: true, text, confidence: PLATFORM_CONFIDENCE };

/** Counts the attempt. Null: it is done already, or has ended the process so often that it is given up. */
async function begin(deps: AttemptDeps, job: MediaJob): Promise<{ row: MediaRow; last: boolean } | null> {
  const row = await countAttempt(deps.db, job, job.mediaId);
  if (row === null) return null;
  if (row.attempts <= MOST_ATTEMPTS) return { row, last: row.attempts === MOST_ATTEMPTS };
  await settleMedia(deps, job, row.id, heardByPlatform(row) ?? notRecognized("unreadable", CRASHED_NOTE));
  return null;
}

/** What has waited so long has lost its job: it is read, or given up, all the same. */
const LOST_MS = 30 * 60_000;

/** Enqueues again what waits without a job, because its tries were used up while the database or the platform was away. */
export async function resumeMedia({ db, jobs }: Pick<ReadMediaDeps, "db" | "jobs">, now = Date.now()): Promise<void> {
  // By its event, which may be written into the conversation already.
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
