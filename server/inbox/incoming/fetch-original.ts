/**
 * Moves an original from its platform into the store. If only an account's connection can fetch it, the process with that connection does
 * (fetch-held.ts).
 */
import { and, eq } from "drizzle-orm";
import { claimStorage, type StorageDeps } from "#server/accounts/organizations/storage.ts";
import { MediaUnavailable } from "#server/inbox/channel-protocol/fetch-media.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { openChannel, type ProviderAddresses } from "#server/inbox/channels/registry.ts";
import type { MediaRow } from "#server/models/media/attempts.ts";
import { FETCH_MS, LARGEST_BYTES } from "#server/models/media/limits.ts";
import { mediaKindOf } from "#server/models/media/recognizer.ts";
import { newOriginalName } from "#server/models/media/remains.ts";
import { secondsOf, typeByBytes } from "#server/models/media/type-by-bytes.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { Problem } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

export interface FetchDeps {
  db: Database;
  files: FileStore;
  vault: Vault;
  config: ProviderAddresses & StorageDeps["config"];
}

export type MediaJob = JobData["read-media"];

/** The original is refused permanently; the message is for the owner. */
export class MediaRefused extends Error {}

const NOTHING_KNOWN = "Это не запись и не картинка, или файл повреждён.";
/** Milliseconds after which an account that has not reconnected is not waited for any more. */
const ABANDONED_MS = 30 * 60_000;

/** Ids of rows whose originals this process is fetching, or failed to fetch without having recorded the failure yet. */
const underWay = new Set<string>();

/** Called after the failure was recorded: the original may be fetched again if it still waits. */
export const clearFailedFetch = (id: string): boolean => underWay.delete(id);

/**
 * Returns the row with its original in the store. Null: the message was deleted meanwhile. "elsewhere": another fetch is running, or the
 * process with the account's connection will fetch it.
 * @throws MediaUnavailable, MediaRefused, temporary errors; then the row is not fetched before `clearFailedFetch` is called
 */
export async function fetchOriginal(
  deps: FetchDeps,
  job: MediaJob,
  row: MediaRow,
  signal: AbortSignal,
): Promise<MediaRow | null | "elsewhere"> {
  if (underWay.has(row.id)) return "elsewhere";
  underWay.add(row.id);
  const kept = await fetchOnce(deps, job, row, signal);
  underWay.delete(row.id);
  return kept;
}

async function fetchOnce(
  deps: FetchDeps,
  job: MediaJob,
  row: MediaRow,
  signal: AbortSignal,
): Promise<MediaRow | null | "elsewhere"> {
  const { db, files } = deps;
  if (row.storedAt !== null && row.storedName !== null && (await files.size(row.storedName)) !== null) return row;
  const bytes = await fetchFrom(deps, job, row, signal);
  if (bytes === "elsewhere") return bytes;
  const mime = typeByBytes(bytes);
  if (mime === null || mediaKindOf(mime) !== row.kind) throw new MediaRefused(NOTHING_KNOWN);
  const storedName = newOriginalName();
  const seconds = secondsOf(bytes, mime) ?? row.seconds;
  const named = await asTenant(db, job, async (tx) => {
    await claimStorage(tx, deps, job, bytes.length);
    return change(tx, row.id, { storedName, storedAt: null, bytes: bytes.length, mime, seconds });
  }).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 413 ? new MediaRefused("Место организации закончилось.") : error;
  });
  // Removes the partial file of an interrupted attempt.
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

async function fetchFrom(
  deps: FetchDeps,
  job: MediaJob,
  row: MediaRow,
  signal: AbortSignal,
): Promise<Buffer | "elsewhere"> {
  const [integration] = await asTenant(deps.db, job, (tx) =>
    tx.select().from(integrations).where(eq(integrations.id, job.integrationId)),
  );
  if (integration === undefined) throw new MediaRefused("Интеграция удалена.");
  const channel = openChannel(openCredentials(deps.vault, integration), deps.config, integration);
  if (channel?.fetchMedia === undefined) throw new MediaRefused("Эта платформа не отдаёт файлы.");
  const isHere = () => channel.sendsHere?.() !== false;
  if (!isHere()) {
    const isAbandoned = integration.status !== "active" && row.createdAt.getTime() < Date.now() - ABANDONED_MS;
    if (isAbandoned) throw new MediaRefused("Аккаунт отключён, файл остался на платформе.");
    return "elsewhere";
  }
  const limits = { maxBytes: LARGEST_BYTES, signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]) };
  try {
    const bytes = await channel.fetchMedia(row.source, limits);
    if (bytes.length === 0) throw new MediaUnavailable("Файл пуст.");
    return bytes;
  } catch (error) {
    // The connection ended meanwhile, so this is not a failure.
    if (!(error instanceof MediaUnavailable) && !isHere()) return "elsewhere";
    throw error;
  }
}
