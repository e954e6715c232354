/**
 * Extracts the recordings and pictures of an import's messages from its archives and stores them as originals, each with the job that
 * recognises it. Runs before the upload is removed; after a crash it continues with the missing ones.
 */
import { and, asc, eq } from "drizzle-orm";
import { claimStorage, type StorageDeps } from "#server/accounts/organizations/storage.ts";
import type { ExportReader, NamedFile } from "#server/imports/export-reader/export-reader.ts";
import type { MediaRow } from "#server/models/media/attempts.ts";
import { mediaKindOf } from "#server/models/media/recognizer.ts";
import { newOriginalName } from "#server/models/media/remains.ts";
import { secondsOf, typeByBytes } from "#server/models/media/type-by-bytes.ts";
import type { Database, Tenant, Transact, Tx } from "#server/platform/db/database.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { type AttachedPlace, untakenFilesSql } from "./attached-rows.ts";
import { learnWhenAllIsRead } from "./read-imported.ts";

const DAMAGED = "Файл в выгрузке повреждён, или это не запись и не картинка.";
const FULL = "Место организации закончилось.";

interface AttachedFileSource {
  tenant: Tenant;
  transact: Transact;
  importId: string;
  files: readonly NamedFile[];
  exports: ExportReader;
  /** Works like `HistoryPlan.proceed`: false when the import was stopped. */
  proceed(tx: Tx): Promise<boolean>;
}

interface Deps extends Pick<StorageDeps, "files" | "config"> {
  db: Database;
  jobs: Jobs;
}

/** @returns false when the import was stopped @throws as `ExportReader.attached`; Problem 507 */
export async function takeAttached(deps: Deps, source: AttachedFileSource, signal: AbortSignal): Promise<boolean> {
  const { tenant, transact, importId, files, exports } = source;
  const rows = await transact((tx) =>
    tx
      .select()
      .from(mediaFiles)
      .where(untakenFilesSql(importId))
      .orderBy(asc(mediaFiles.importedMessageId), asc(mediaFiles.place)),
  );
  if (rows.length === 0) return true;
  const byFile = [...Map.groupBy(rows, ({ source }) => (source as unknown as AttachedPlace).file)];
  const asked = byFile.map(([file, of]) => ({
    file,
    names: of.map(({ source }) => (source as unknown as AttachedPlace).name),
  }));
  const [first] = rows;
  const inOrder = byFile.flatMap(([, of]) => of);
  let at = 0;
  for await (const bytes of exports.attached(files, asked, signal)) {
    signal.throwIfAborted();
    const kept = await keep(deps, source, inOrder[at++]!, bytes, signal);
    if (kept === "stopped") return false;
    if (kept === "full") {
      await transact((tx) => tx.update(mediaFiles).set(failed(FULL)).where(untakenFilesSql(importId)));
      break;
    }
  }
  // Attachments recognised meanwhile have left the learning to the last one, which may not exist.
  await learnWhenAllIsRead(deps, tenant, first!.id, signal);
  return true;
}

const failed = (note: string) => ({ state: "failed" as const, note, readAt: new Date() });

async function keep(
  { jobs, files, config }: Deps,
  { tenant, transact, proceed }: AttachedFileSource,
  row: MediaRow,
  bytes: Buffer | null,
  signal: AbortSignal,
): Promise<"kept" | "stopped" | "full"> {
  const change = async (tx: Tx, set: Partial<MediaRow>): Promise<boolean> => {
    const changed = await tx
      .update(mediaFiles)
      .set(set)
      .where(and(eq(mediaFiles.id, row.id), eq(mediaFiles.state, "waiting")))
      .returning({ id: mediaFiles.id });
    return changed.length > 0;
  };
  const mime = bytes === null ? null : typeByBytes(bytes);
  if (bytes === null || mime === null || mediaKindOf(mime) !== row.kind) {
    await transact((tx) => change(tx, failed(DAMAGED)));
    return "kept";
  }
  const storedName = newOriginalName();
  const named = await transact(async (tx) => {
    if (!(await proceed(tx))) return "stopped";
    await claimStorage(tx, { files, config }, tenant, bytes.length);
    const found = { storedName, storedAt: null, bytes: bytes.length, mime, seconds: secondsOf(bytes, mime) };
    return (await change(tx, found)) ? "named" : "gone";
  }).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 413) return "full" as const;
    throw error;
  });
  if (named === "stopped" || named === "full") return named;
  // Removes the partial file of an interrupted attempt.
  if (row.storedName !== null) await files.remove(row.storedName);
  if (named === "gone") return "kept";
  await files.write(storedName, once(bytes), signal);
  const isThere = await transact(async (tx) => {
    if (!(await change(tx, { storedAt: new Date() }))) return false;
    const { organizationId, userId } = tenant;
    await jobs.enqueue(tx, "read-imported", { organizationId, userId, mediaId: row.id });
    return true;
  });
  // The message was deleted meanwhile, so its file is removed.
  if (!isThere) await files.remove(storedName);
  return "kept";
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
