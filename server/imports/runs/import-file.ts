/** Uploads an export file in one request and creates its import. */
import { eq } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import { type ImportState, MAX_EXPORT_BYTES } from "#contract/knowledge/imports.ts";
import { claimStorage, type StorageDeps } from "#server/accounts/organizations/storage.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { type ReceivedExport, type ReservedFile, receiveExport } from "#server/imports/uploads/receive-export.ts";
import { removeUpload } from "#server/imports/uploads/uploads.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { exportUploads } from "#server/platform/db/schema/imports.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { createImport } from "./imports.ts";

interface Deps extends StorageDeps {
  db: Database;
  jobs: Jobs;
}

/**
 * Stores the file and enqueues its preview. An upload row reserves the space before the first byte is stored; after a crash it is deleted
 * like any abandoned upload.
 * @throws Problem as `receiveExport` and `createImport`; 413 when the organisation's quota is exceeded
 */
export async function importFile(deps: Deps, caller: Caller, request: FastifyRequest): Promise<ImportState> {
  const { db, files } = deps;
  let reserved: string | null = null;
  let received: ReceivedExport | null = null;
  try {
    received = await receiveExport(request, {
      files,
      maxBytes: MAX_EXPORT_BYTES,
      checkTwin: (id) => asTenant(db, caller, (tx) => getChangeableTwin(tx, caller, id)).then(() => {}),
      reserve: async (file) => {
        reserved = await reserve(deps, caller, file);
      },
    });
    return await createImport(deps, caller, received, (tx) => release(tx, reserved!));
  } catch (error) {
    await removeUpload(files, received?.storedName ?? null);
    const id = reserved;
    if (id !== null) await asTenant(db, caller, (tx) => tx.delete(exportUploads).where(eq(exportUploads.id, id)));
    throw error;
  }
}

function reserve(deps: Deps, caller: Caller, file: ReservedFile): Promise<string> {
  const { digitalTwinId: twinId, fileName, storedName, bytes } = file;
  return asTenant(deps.db, caller, async (tx) => {
    await claimStorage(tx, deps, caller, bytes);
    const { organizationId: orgId, userId } = caller;
    const [row] = await tx
      .insert(exportUploads)
      .values({ orgId, userId, twinId, fileName, storedName, bytes })
      .returning({ id: exportUploads.id });
    return row!.id;
  });
}

/** Deletes the upload row, because from now on the import's own row counts towards the quota. */
async function release(tx: Tx, id: string): Promise<void> {
  const gone = await tx.delete(exportUploads).where(eq(exportUploads.id, id)).returning({ id: exportUploads.id });
  if (gone.length === 0) throw conflict("upload_dropped", "Загрузка шла слишком долго и удалена: начните её снова");
}
