import { and, inArray } from "drizzle-orm";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { platformOf } from "#server/imports/export-reader/read-export.ts";
import { ownUploadSql, type UploadRow } from "#server/imports/uploads/resumable-uploads.ts";
import { gatherUploads, newName, uploadTaken } from "#server/imports/uploads/uploads.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { exportUploads } from "#server/platform/db/schema/imports.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { createImport } from "./imports.ts";

interface Deps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
}

const byName = new Intl.Collator("en", { numeric: true });

/**
 * Creates one import per twin and platform from completed uploads, because all exports of one platform name their owner in the same way.
 * The files of an import are read in the order of their names.
 * @throws Problem 404 for an unknown upload; 409 while one is incomplete; 403
 */
export async function importUploads(deps: Deps, caller: Caller, uploadIds: readonly string[]): Promise<ImportState[]> {
  const rows = await asTenant(deps.db, caller, (tx) =>
    tx
      .select()
      .from(exportUploads)
      .where(and(inArray(exportUploads.id, [...uploadIds]), ownUploadSql(caller))),
  );
  if (rows.length < new Set(uploadIds).size) {
    throw notFound("Загрузка не найдена: начните её снова", "upload_not_found");
  }
  if (rows.some((row) => row.format === null)) {
    throw conflict("upload_unfinished", "Файл загружен не целиком: продолжите загрузку");
  }
  const groups = Map.groupBy(rows, (row) => `${row.twinId} ${platformOf(row.format!)}`);
  const made: ImportState[] = [];
  for (const group of groups.values()) made.push(await importGroup(deps, caller, group));
  return made;
}

async function importGroup(deps: Deps, caller: Caller, rows: UploadRow[]): Promise<ImportState> {
  const files = rows.sort((left, right) => byName.compare(left.fileName, right.fileName));
  const [first, ...others] = files;
  const storedName = others.length === 0 ? first!.storedName : newName();
  const fileName = others.length === 0 ? first!.fileName : `${first!.fileName} и ещё ${others.length}`;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const received = { digitalTwinId: first!.twinId, fileName, storedName, bytes, format: first!.format! };
  // Runs before the transaction, which must not wait for file storage.
  const takeBack = others.length === 0 ? null : await gatherUploads(deps.files, storedName, files);
  try {
    return await createImport(deps, caller, received, async (tx) => {
      const ids = files.map((file) => file.id);
      const taken = await tx
        .delete(exportUploads)
        .where(inArray(exportUploads.id, ids))
        .returning({ id: exportUploads.id });
      // When two requests name the same files, the second one finds them taken.
      if (taken.length < ids.length) throw uploadTaken();
    });
  } catch (error) {
    await takeBack?.();
    throw error;
  }
}
