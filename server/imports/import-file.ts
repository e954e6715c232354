/** One export file in one request, from its first byte to its import. */
import { eq } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import { type ImportState, MAX_EXPORT_BYTES } from "#contract/imports.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { exportUploads } from "#server/db/schema.ts";
import { conflict } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { claimStorage, type StorageDeps } from "#server/organizations/storage.ts";
import { getChangeableTwin } from "#server/twins/twins.ts";
import { createImport } from "./imports.ts";
import { type ReceivedExport, type ReservedFile, receiveExport } from "./receive-export.ts";
import { removeUpload } from "./uploads.ts";

interface Deps extends StorageDeps {
  db: Database;
  jobs: Jobs;
  config: StorageDeps["config"] & { dataDir: string };
}

/**
 * Takes the file and asks for its reading. Its room is reserved before its first byte is stored, by the row of an upload: after a crash it
 * goes with the forgotten ones.
 * @throws Problem as `receiveExport` and `createImport`; 413 when the organisation's space does not hold it
 */
export async function importFile(deps: Deps, viewer: Viewer, request: FastifyRequest): Promise<ImportState> {
  const { db, config, disk } = deps;
  let reserved: string | null = null;
  let received: ReceivedExport | null = null;
  try {
    received = await receiveExport(request, {
      dataDir: config.dataDir,
      disk,
      maxBytes: MAX_EXPORT_BYTES,
      checkTwin: (id) => asTenant(db, viewer, (tx) => getChangeableTwin(tx, viewer, id)).then(() => {}),
      reserve: async (file) => {
        reserved = await reserve(deps, viewer, file);
      },
    });
    return await createImport(deps, viewer, received, (tx) => release(tx, reserved!));
  } catch (error) {
    await removeUpload(config.dataDir, received?.storedName ?? null);
    const id = reserved;
    if (id !== null) await asTenant(db, viewer, (tx) => tx.delete(exportUploads).where(eq(exportUploads.id, id)));
    throw error;
  }
}

function reserve(deps: Deps, viewer: Viewer, file: ReservedFile): Promise<string> {
  const { digitalTwinId: twinId, fileName, storedName, bytes } = file;
  return asTenant(deps.db, viewer, async (tx) => {
    await claimStorage(tx, deps, viewer, bytes);
    const { organizationId: orgId, userId } = viewer;
    const [row] = await tx
      .insert(exportUploads)
      .values({ orgId, userId, twinId, fileName, storedName, bytes })
      .returning({ id: exportUploads.id });
    return row!.id;
  });
}

/** From here on the import's own row counts. */
async function release(tx: Tx, id: string): Promise<void> {
  const gone = await tx.delete(exportUploads).where(eq(exportUploads.id, id)).returning({ id: exportUploads.id });
  if (gone.length === 0) throw conflict("upload_dropped", "Загрузка шла слишком долго и удалена: начните её снова");
}
