import { eq } from "drizzle-orm";
import type { StorageDeps } from "#server/accounts/organizations/storage.ts";
import type { ExportReader, NamedFile } from "#server/imports/reading/export-reader.ts";
import { storedFiles } from "#server/imports/uploads/uploads.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import type { ImportRow } from "./imports.ts";

export interface ImportJobDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  log: Log;
  config: StorageDeps["config"];
  /** Another one than the server's: in tests alone. */
  exports?: ExportReader;
}

export type JobTenant = Tenant & { importId: string };

export async function findRow({ db }: ImportJobDeps, data: JobTenant): Promise<ImportRow | undefined> {
  const [row] = await asTenant(db, data, (tx) => tx.select().from(imports).where(eq(imports.id, data.importId)));
  return row;
}

/** The files behind an import, as they are called. */
export async function filesOf({ files }: ImportJobDeps, row: ImportRow): Promise<NamedFile[]> {
  const stored = await storedFiles(files, row.storedName!);
  return stored.map(({ name, fileName }) => ({
    open: () => files.open(name),
    name: fileName ?? row.fileName,
    label: fileName,
  }));
}
