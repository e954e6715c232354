/**
 * The job that fetches a recording or a picture from its platform, keeps the original, has it read, and lets the twin answer. Each step is
 * written down before the next begins, and each may be repeated: whatever the process ends at, nothing is lost and nothing is done twice that
 * anybody sees.
 */
import { and, eq, sql } from "drizzle-orm";
import { asPlatform, asTenant, type Database, type Tx } from "#server/db/database.ts";
import { integrations, mediaFiles } from "#server/db/schema.ts";
import { Problem } from "#server/errors.ts";
import type { FileStore } from "#server/files/file-store.ts";
import type { JobData } from "#server/jobs/catalogue.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import { PLATFORM_HEARD } from "#server/media/clear.ts";
import { FETCH_MS, LARGEST_BYTES, LONGEST_TEXT, MOST_ATTEMPTS } from "#server/media/limits.ts";
import { countAttempt, type MediaRow, takeBackAttempt } from "#server/media/originals/attempts.ts";
import { CUT_OFF } from "#server/media/originals/notes.ts";
import { newOriginalName } from "#server/media/originals/remains.ts";
import { secondsOf, typeByBytes } from "#server/media/originals/type-by-bytes.ts";
import { readWithinLimits } from "#server/media/readers/read-within-limits.ts";
import type { ReadersDeps } from "#server/media/readers/settings.ts";
import { type MediaOutcome, mayBeTriedAgain, mediaKindOf, notRecognized } from "#server/media/recognizer.ts";
import { claimStorage, type StorageDeps } from "#server/organizations/storage.ts";
import type { Vault } from "#server/secrets/vault.ts";
import { openCredentials } from "../../credentials.ts";
import { ChannelTrouble } from "../../protocol/channel.ts";
import { MediaLost } from "../../protocol/fetch-media.ts";
import { openChannel, type ProviderAddresses } from "../../registry.ts";
import { settleMedia } from "./settle-media.ts";

export interface ReadMediaDeps extends Pick<ReadersDeps, "remote" | "localMedia"> {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  vault: Vault;
  log: Log;
  config: ProviderAddresses & StorageDeps["config"];
}

export type MediaJob = JobData["read-media"];

const NOTHING_KNOWN = "Это не запись и не картинка, или файл повреждён.";

/** Job `read-media`. @throws what may pass, so that the job is tried again */
export async function readMedia(deps: ReadMediaDeps, job: MediaJob, signal: AbortSignal): Promise<void> {
  const begun = await begin(deps, job);
  if (begun === null) return;
  const { last } = begun;
  try {
    const row = await fetched(deps, job, begun.row, signal);
    if (row === null) return;
    const outcome =
      heardByPlatform(row) ?? (await readWithinLimits(deps, job, originalOf(row), { signal, maxChars: LONGEST_TEXT }));
    if (!outcome.ok && mayBeTriedAgain(outcome) && !last) throw new NotYet(outcome.message);
    await settleMedia(deps, job, row.id, outcome);
  } catch (error) {
    // The server stops: nothing has failed.
    if (signal.aborted) {
      await takeBackAttempt(deps.db, job, job.mediaId).catch(() => {});
      throw error;
    }
    const final = error instanceof Refused || error instanceof MediaLost || last;
    if (!final) throw error;
    deps.log.warn({ err: error, mediaId: job.mediaId }, "an original is not read");
    const outcome = heardByPlatform(begun.row) ?? notRecognized("unreadable", sentenceOf(error));
    await settleMedia(deps, job, job.mediaId, outcome);
  }
}

/** A service that is busy or away: the job is tried again. */
class NotYet extends Error {}
/** Refused for good; the message is for the owner. */
class Refused extends Error {}

const sentenceOf = (error: unknown): string =>
  error instanceof Refused || error instanceof MediaLost || error instanceof NotYet || error instanceof ChannelTrouble
    ? error.message
    : "Файл не удалось загрузить с платформы.";

/** What the platform has understood stands, whether the original could be fetched or not; null: it has understood nothing. */
const heardByPlatform = ({ text }: MediaRow): MediaOutcome | null =>
  text === "" ? null : { ok: true, text, confidence: PLATFORM_HEARD };

const originalOf = ({ kind, storedName, bytes, mime, seconds }: MediaRow) => ({
  ...{ kind, bytes, seconds, storedName: storedName!, mime: mime! },
});

/** Counts the attempt. Null: it is done already, or has ended the process so often that it is given up. */
async function begin(deps: ReadMediaDeps, job: MediaJob): Promise<{ row: MediaRow; last: boolean } | null> {
  const row = await countAttempt(deps.db, job, job.mediaId);
  if (row === null) return null;
  if (row.attempts <= MOST_ATTEMPTS) return { row, last: row.attempts === MOST_ATTEMPTS };
  await settleMedia(deps, job, row.id, heardByPlatform(row) ?? notRecognized("unreadable", CUT_OFF));
  return null;
}

/** The row with its original in the store. Null: the message was deleted meanwhile. @throws MediaLost, Refused, what may pass */
async function fetched(
  deps: ReadMediaDeps,
  job: MediaJob,
  row: MediaRow,
  signal: AbortSignal,
): Promise<MediaRow | null> {
  const { db, files } = deps;
  if (row.storedAt !== null && row.storedName !== null && (await files.size(row.storedName)) !== null) return row;
  const bytes = await fetchFrom(deps, job, row, signal);
  const mime = typeByBytes(bytes);
  if (mime === null || mediaKindOf(mime) !== row.kind) throw new Refused(NOTHING_KNOWN);
  const storedName = newOriginalName();
  const seconds = secondsOf(bytes, mime) ?? row.seconds;
  const named = await asTenant(db, job, async (tx) => {
    await claimStorage(tx, deps, job, bytes.length);
    return change(tx, row.id, { storedName, storedAt: null, bytes: bytes.length, mime, seconds });
  }).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 413 ? new Refused("Место организации закончилось.") : error;
  });
  // What an attempt that was cut off has left.
  if (row.storedName !== null) await files.remove(row.storedName);
  if (named === null) return null;
  await files.write(storedName, once(bytes), signal);
  const kept = await asTenant(db, job, (tx) => change(tx, row.id, { storedAt: new Date() }));
  if (kept === null) await files.remove(storedName);
  return kept;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function change(tx: Tx, id: string, set: Partial<MediaRow>): Promise<MediaRow | null> {
  const [row] = await tx
    .update(mediaFiles)
    .set(set)
    .where(and(eq(mediaFiles.id, id), eq(mediaFiles.state, "waiting")))
    .returning();
  return row ?? null;
}

async function fetchFrom(deps: ReadMediaDeps, job: MediaJob, row: MediaRow, signal: AbortSignal): Promise<Buffer> {
  const [integration] = await asTenant(deps.db, job, (tx) =>
    tx.select().from(integrations).where(eq(integrations.id, job.integrationId)),
  );
  if (integration === undefined) throw new Refused("Интеграция удалена.");
  const channel = openChannel(openCredentials(deps.vault, integration), deps.config, integration);
  if (channel?.fetchMedia === undefined) throw new Refused("Эта платформа не отдаёт файлы.");
  const limits = { maxBytes: LARGEST_BYTES, signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]) };
  const bytes = await channel.fetchMedia(row.source, limits);
  if (bytes.length === 0) throw new MediaLost("Файл пуст.");
  return bytes;
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
