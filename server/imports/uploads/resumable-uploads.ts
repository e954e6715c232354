/**
 * Resumable uploads: each request names the offset of its bytes. Stored bytes survive a broken connection and a restart, and the client
 * continues after them. Only the stored file's length counts, whichever machine received it.
 */
import { and, eq, isNull, lt, sum } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import { type ExportUpload, type ExportUploadInput, MAX_EXPORT_BYTES } from "#contract/knowledge/imports.ts";
import { claimStorage, type StorageDeps } from "#server/accounts/organizations/storage.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { exportReader } from "#server/imports/export-reader/export-reader.ts";
import { refuseUnknown } from "#server/imports/export-reader/read-export.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { exportUploads } from "#server/platform/db/schema/imports.ts";
import { conflict, Problem } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { bytesOf, uploadNotFound } from "#server/platform/files/resumable-file.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { cleanName, HEAD_BYTES } from "../formats/message.ts";
import { newName, removeUpload } from "./uploads.ts";

interface Deps extends StorageDeps {
  db: Database;
}

export type UploadRow = typeof exportUploads.$inferSelect;

/** Maximum total size of one user's unfinished uploads. */
const MAX_BYTES = 2 * MAX_EXPORT_BYTES;
/** Milliseconds after which an upload that receives no more data is deleted. */
const KEPT_MS = 24 * 3600_000;

/**
 * Begins an upload, or continues one of the same file by the same person. @throws Problem 404 (twin), 403, 409 when too many bytes are
 * being uploaded, 413 when the organisation's quota is exceeded, 507
 */
export async function beginUpload(deps: Deps, caller: Caller, input: ExportUploadInput): Promise<ExportUpload> {
  const { digitalTwinId: twinId, bytes } = input;
  const fileName = cleanName(input.fileName.normalize("NFC").replace(/^.*[/\\]/s, "")) || "Выгрузка";
  const modified = input.modified ?? null;
  const begun = await asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const same = and(
      ownUploadSql(caller),
      eq(exportUploads.twinId, twinId),
      eq(exportUploads.fileName, fileName),
      eq(exportUploads.bytes, bytes),
      modified === null ? isNull(exportUploads.modified) : eq(exportUploads.modified, modified),
    );
    const [row] = await tx.select().from(exportUploads).where(same).limit(1);
    return row;
  });
  if (begun !== undefined) {
    if ((await deps.files.size(begun.storedName)) !== null) return toState(deps, begun);
    await dropUpload(deps, caller, begun.id);
  }
  const storedName = newName();
  await deps.files.create(storedName);
  try {
    const row = await asTenant(deps.db, caller, async (tx) => {
      await getChangeableTwin(tx, caller, twinId);
      const [open] = await tx
        .select({ bytes: sum(exportUploads.bytes).mapWith(Number) })
        .from(exportUploads)
        .where(ownUploadSql(caller));
      if ((open?.bytes ?? 0) + bytes > MAX_BYTES) {
        throw conflict("uploads_full", "Загружается больше 4 ГБ сразу: дождитесь конца прежних загрузок");
      }
      await claimStorage(tx, deps, caller, bytes);
      const { organizationId: orgId, userId } = caller;
      const [made] = await tx
        .insert(exportUploads)
        .values({ orgId, userId, twinId, fileName, storedName, bytes, modified })
        .returning();
      return made!;
    });
    return await toState(deps, row);
  } catch (error) {
    await removeUpload(deps.files, storedName);
    throw error;
  }
}

/** @throws Problem 404 */
export async function readUpload(deps: Deps, caller: Caller, id: string): Promise<ExportUpload> {
  return toState(deps, await asTenant(deps.db, caller, (tx) => getUpload(tx, caller, id)));
}

/**
 * Appends the request's bytes at `offset`; after the last ones the format is detected.
 * @throws Problem 409 when `offset` is not the file's present length; 400 for more bytes than announced or a broken connection (received
 * bytes are kept); 404; 413, 415, 422 for an unreadable file, which is then deleted
 */
export async function appendUpload(
  deps: Deps,
  caller: Caller,
  id: string,
  offset: number,
  request: FastifyRequest,
): Promise<ExportUpload> {
  const source = bytesOf(request.body);
  try {
    const row = await asTenant(deps.db, caller, (tx) => getUpload(tx, caller, id));
    await deps.files.append(row.storedName, { bytes: row.bytes, offset, source });
    return await settle(deps, caller, row);
  } catch (error) {
    // The rest of the request is read and discarded, so that the client receives the response.
    source.resume();
    throw error;
  }
}

/** Refuses a file that is not an export as early as possible: from its first bytes, or for an archive once it is complete. */
async function settle(deps: Deps, caller: Caller, row: UploadRow): Promise<ExportUpload> {
  const { files } = deps;
  const size = await files.size(row.storedName);
  if (size === null) throw uploadNotFound();
  try {
    if (size >= HEAD_BYTES || size === row.bytes) refuseUnknown(await headOf(files, row.storedName));
    const format = size === row.bytes ? await exportReader.recognise(() => files.open(row.storedName)) : null;
    const [kept] = await asTenant(deps.db, caller, (tx) =>
      tx
        .update(exportUploads)
        .set({ format, updatedAt: new Date() })
        .where(and(eq(exportUploads.id, row.id), ownUploadSql(caller)))
        .returning(),
    );
    if (kept === undefined) throw uploadNotFound();
    return await toState(deps, kept);
  } catch (error) {
    if (error instanceof Problem && [413, 415, 422].includes(error.status)) await dropUpload(deps, caller, row.id);
    throw error;
  }
}

async function headOf(files: FileStore, storedName: string): Promise<Buffer> {
  const file = await files.open(storedName);
  try {
    return await file.read(0, HEAD_BYTES);
  } finally {
    await file.close();
  }
}

/** @throws Problem 404 */
export async function dropUpload({ db, files }: Deps, caller: Caller, id: string): Promise<void> {
  const storedName = await asTenant(db, caller, async (tx) => {
    const row = await getUpload(tx, caller, id);
    await tx.delete(exportUploads).where(eq(exportUploads.id, row.id));
    return row.storedName;
  });
  files.stopAppending(storedName);
  await removeUpload(files, storedName);
}

/** Deletes uploads that have received nothing for a day, or for `keptMs`. @returns how many */
export async function dropAbandonedUploads(
  { db, files }: Pick<Deps, "db" | "files">,
  now = Date.now(),
  keptMs = KEPT_MS,
): Promise<number> {
  const old = await asPlatform(db, (tx) =>
    tx
      .select({
        id: exportUploads.id,
        organizationId: exportUploads.orgId,
        userId: exportUploads.userId,
        storedName: exportUploads.storedName,
      })
      .from(exportUploads)
      .where(lt(exportUploads.updatedAt, new Date(now - keptMs))),
  );
  for (const { id, storedName, ...tenant } of old) {
    await asTenant(db, tenant, (tx) => tx.delete(exportUploads).where(eq(exportUploads.id, id)));
    await removeUpload(files, storedName);
  }
  return old.length;
}

/** SQL condition: an upload is visible only to the user who made it. */
export const ownUploadSql = ({ organizationId, userId }: Tenant) =>
  and(eq(exportUploads.orgId, organizationId), eq(exportUploads.userId, userId));

async function getUpload(tx: Tx, caller: Tenant, id: string): Promise<UploadRow> {
  const [row] = await tx
    .select()
    .from(exportUploads)
    .where(and(eq(exportUploads.id, id), ownUploadSql(caller)));
  if (row === undefined) throw uploadNotFound();
  return row;
}

async function toState({ files }: Deps, row: UploadRow): Promise<ExportUpload> {
  const { id, fileName, bytes, format } = row;
  return { id, fileName, bytes, offset: (await files.size(row.storedName)) ?? 0, format };
}
