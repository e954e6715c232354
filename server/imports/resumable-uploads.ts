/**
 * Files that come piece by piece: each piece says where it begins, what has arrived survives a broken connection and a
 * restart, and the sender goes on behind it. The stored file's length is the one truth about how much is here.
 */
import { createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { and, eq, isNull, lt, sum } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import { type ExportUpload, type ExportUploadInput, MAX_EXPORT_BYTES } from "#contract/imports.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { exportUploads } from "#server/db/schema.ts";
import { NO_SPACE, whileThereIsRoom } from "#server/disk.ts";
import { conflict, invalid, notFound, outOfSpace, Problem, unsupported } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { claimStorage, type StorageDeps } from "#server/organizations/storage.ts";
import { getChangeableTwin } from "#server/twins/twins.ts";
import { cleanName, HEAD_BYTES } from "./formats/message.ts";
import { refuseUnknown } from "./read-export.ts";
import { exportReader } from "./reading/export-reader.ts";
import { createUpload, removeUpload, uploadPath } from "./uploads.ts";

interface Deps extends StorageDeps {
  db: Database;
  config: StorageDeps["config"] & { dataDir: string };
}

export type UploadRow = typeof exportUploads.$inferSelect;

/** Of one person, on their way at once. */
const MOST_BYTES = 2 * MAX_EXPORT_BYTES;
/** An upload that nobody goes on with is kept so long. */
const KEPT_MS = 24 * 3600_000;

/** The same file of the same person goes on where it stopped. @throws Problem 404 (twin), 403, 409 when too much is on its way, 413 when the organisation's space does not hold it, 507 */
export async function beginUpload(deps: Deps, viewer: Viewer, input: ExportUploadInput): Promise<ExportUpload> {
  const { digitalTwinId: twinId, bytes } = input;
  const fileName = cleanName(input.fileName.normalize("NFC").replace(/^.*[/\\]/s, "")) || "Выгрузка";
  const modified = input.modified ?? null;
  const begun = await asTenant(deps.db, viewer, async (tx) => {
    await getChangeableTwin(tx, viewer, twinId);
    const same = and(
      mine(viewer),
      eq(exportUploads.twinId, twinId),
      eq(exportUploads.fileName, fileName),
      eq(exportUploads.bytes, bytes),
      modified === null ? isNull(exportUploads.modified) : eq(exportUploads.modified, modified),
    );
    const [row] = await tx.select().from(exportUploads).where(same).limit(1);
    return row;
  });
  if (begun !== undefined) {
    if (await isThere(deps, begun)) return toState(deps, begun);
    await dropUpload(deps, viewer, begun.id);
  }
  const { storedName, stream } = await createUpload(deps.config.dataDir);
  stream.destroy();
  try {
    const row = await asTenant(deps.db, viewer, async (tx) => {
      await getChangeableTwin(tx, viewer, twinId);
      const [open] = await tx
        .select({ bytes: sum(exportUploads.bytes).mapWith(Number) })
        .from(exportUploads)
        .where(mine(viewer));
      if ((open?.bytes ?? 0) + bytes > MOST_BYTES) {
        throw conflict("uploads_full", "Загружается больше 4 ГБ сразу: дождитесь конца прежних загрузок");
      }
      await claimStorage(tx, deps, viewer, bytes);
      const { organizationId: orgId, userId } = viewer;
      const [made] = await tx
        .insert(exportUploads)
        .values({ orgId, userId, twinId, fileName, storedName, bytes, modified })
        .returning();
      return made!;
    });
    return await toState(deps, row);
  } catch (error) {
    await removeUpload(deps.config.dataDir, storedName);
    throw error;
  }
}

/** @throws Problem 404 */
export async function readUpload(deps: Deps, viewer: Viewer, id: string): Promise<ExportUpload> {
  return toState(deps, await asTenant(deps.db, viewer, (tx) => getUpload(tx, viewer, id)));
}

/** Who writes to a file just now; a newer request ends an older one, whose connection may be dead without our knowing. */
const writers = new Map<string, { controller: AbortController; done: Promise<unknown> }>();

/**
 * Adds the request's bytes at `offset`; the last ones show what the file is.
 * @throws Problem 404; 409 when `offset` is not where the file ends; 400 for more bytes than were announced and for a broken
 * connection (what came is kept); 413, 415, 422 for a file that nobody can read: it is gone then
 */
export async function appendUpload(
  deps: Deps,
  viewer: Viewer,
  id: string,
  offset: number,
  request: FastifyRequest,
): Promise<ExportUpload> {
  const source = request.body;
  if (!(source instanceof Readable)) {
    throw unsupported("bytes_expected", "Ожидались байты файла: application/octet-stream");
  }
  try {
    const row = await asTenant(deps.db, viewer, (tx) => getUpload(tx, viewer, id));
    writers.get(id)?.controller.abort();
    await writers.get(id)?.done.catch(() => {});
    const controller = new AbortController();
    const done = append(deps, row, offset, source, controller.signal);
    const writer = { controller, done };
    writers.set(id, writer);
    try {
      await done;
    } finally {
      if (writers.get(id) === writer) writers.delete(id);
    }
    return await settle(deps, viewer, row);
  } catch (error) {
    // What is still coming is read and dropped, so that the client gets to see the answer.
    source.resume();
    throw error;
  }
}

async function append(
  { config, disk }: Deps,
  row: UploadRow,
  offset: number,
  source: Readable,
  signal: AbortSignal,
): Promise<void> {
  const path = uploadPath(config.dataDir, row.storedName);
  const { size } = await stat(path).catch(() => {
    throw notFound("Загрузка не найдена: начните её снова", "upload_not_found");
  });
  if (size !== offset) throw conflict("offset_differs", "Загрузка продолжается с другого места");
  let left = row.bytes - size;
  // The rest of the file: what has arrived is no longer free.
  await disk.leaveFree(left);
  try {
    await pipeline(
      source,
      async function* bounded(parts: AsyncIterable<Buffer>) {
        for await (const part of whileThereIsRoom(disk, parts)) {
          left -= part.length;
          if (left < 0) throw invalid("upload_too_long", "Файл длиннее, чем было объявлено");
          yield part;
        }
      },
      createWriteStream(path, { flags: "a", flush: true }),
      { signal },
    );
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code } = error as { code?: string };
    if (code === "ENOSPC" || code === "EDQUOT") {
      throw outOfSpace("no_space", NO_SPACE, { cause: error });
    }
    throw invalid("upload_broken", "Загрузка оборвалась: продолжите её", { cause: error });
  }
}

/** What is no export is refused as soon as it shows: by its beginning, or (an archive) when all of it is here. */
async function settle(deps: Deps, viewer: Viewer, row: UploadRow): Promise<ExportUpload> {
  const path = uploadPath(deps.config.dataDir, row.storedName);
  const { size } = await stat(path);
  try {
    if (size >= HEAD_BYTES || size === row.bytes) refuseUnknown(await headOf(path));
    const format = size === row.bytes ? await exportReader.recognise(path) : null;
    const [kept] = await asTenant(deps.db, viewer, (tx) =>
      tx
        .update(exportUploads)
        .set({ format, updatedAt: new Date() })
        .where(and(eq(exportUploads.id, row.id), mine(viewer)))
        .returning(),
    );
    if (kept === undefined) throw notFound("Загрузка не найдена: начните её снова", "upload_not_found");
    return await toState(deps, kept);
  } catch (error) {
    if (error instanceof Problem && [413, 415, 422].includes(error.status)) await dropUpload(deps, viewer, row.id);
    throw error;
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** @throws Problem 404 */
export async function dropUpload({ db, config }: Deps, viewer: Viewer, id: string): Promise<void> {
  const storedName = await asTenant(db, viewer, async (tx) => {
    const row = await getUpload(tx, viewer, id);
    await tx.delete(exportUploads).where(eq(exportUploads.id, row.id));
    return row.storedName;
  });
  writers.get(id)?.controller.abort();
  await removeUpload(config.dataDir, storedName);
}

/** Those that nobody has gone on with for a day, or for `keptMs`. @returns how many */
export async function dropForgottenUploads(
  { db, config }: Pick<Deps, "db" | "config">,
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
    await removeUpload(config.dataDir, storedName);
  }
  return old.length;
}

/** Only whoever sends a file sees it. */
export const mine = ({ organizationId, userId }: Tenant) =>
  and(eq(exportUploads.orgId, organizationId), eq(exportUploads.userId, userId));

async function getUpload(tx: Tx, viewer: Tenant, id: string): Promise<UploadRow> {
  const [row] = await tx
    .select()
    .from(exportUploads)
    .where(and(eq(exportUploads.id, id), mine(viewer)));
  if (row === undefined) throw notFound("Загрузка не найдена: начните её снова", "upload_not_found");
  return row;
}

const isThere = ({ config }: Deps, row: UploadRow): Promise<boolean> =>
  stat(uploadPath(config.dataDir, row.storedName)).then(
    () => true,
    () => false,
  );

async function toState({ config }: Deps, row: UploadRow): Promise<ExportUpload> {
  const { id, fileName, bytes, format } = row;
  const facts = await stat(uploadPath(config.dataDir, row.storedName)).catch(() => null);
  return { id, fileName, bytes, offset: facts?.size ?? 0, format };
}
