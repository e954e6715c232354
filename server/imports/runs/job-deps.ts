import { eq } from "drizzle-orm";
import type { StorageDeps } from "#server/accounts/organizations/storage.ts";
import type { ExportReader, NamedFile } from "#server/imports/export-reader/export-reader.ts";
import { storedFiles } from "#server/imports/uploads/uploads.ts";
import { asTenant, type Database, type Tenant, type Transact } from "#server/platform/db/database.ts";
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
  /** Replaces the server's reader; only in tests. */
  exports?: ExportReader;
}

export type ImportJob = Tenant & { importId: string };

export interface ImportRun {
  job: ImportJob;
  row: ImportRow;
  transact: Transact;
}

/** Returns null when the import was deleted. */
export async function loadRun({ db }: ImportJobDeps, job: ImportJob): Promise<ImportRun | null> {
  const transact: Transact = (work) => asTenant(db, job, work);
  const [row] = await transact((tx) => tx.select().from(imports).where(eq(imports.id, job.importId)));
  return row === undefined ? null : { job, row, transact };
}

export async function filesOf({ files }: ImportJobDeps, { row }: ImportRun): Promise<NamedFile[]> {
  const stored = await storedFiles(files, row.storedName!);
  return stored.map(({ name, fileName }) => ({
    open: () => files.open(name),
    name: fileName ?? row.fileName,
    label: fileName,
  }));
}
