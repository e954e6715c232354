import { eq } from "drizzle-orm";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { imports } from "#server/db/schema.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import type { ImportRow } from "./imports.ts";
import type { ExportReader, NamedPath } from "./reading/export-reader.ts";
import { storedFiles } from "./uploads/uploads.ts";

export interface ImportJobDeps {
  db: Database;
  jobs: Jobs;
  config: { dataDir: string };
  log: Log;
  /** Another one than the server's: in tests alone. */
  exports?: ExportReader;
}

export type JobTenant = Tenant & { importId: string };

export async function findRow({ db }: ImportJobDeps, data: JobTenant): Promise<ImportRow | undefined> {
  const [row] = await asTenant(db, data, (tx) => tx.select().from(imports).where(eq(imports.id, data.importId)));
  return row;
}

/** The files behind an import, as they are called. */
export async function filesOf({ config }: ImportJobDeps, row: ImportRow): Promise<NamedPath[]> {
  const files = await storedFiles(config.dataDir, row.storedName!);
  return files.map(({ path, fileName }) => ({ path, name: fileName ?? row.fileName, label: fileName }));
}
