// An import as a server does it, without the queue: the same functions, called one after the other.

import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { createImport, getImport, jobData, startImport } from "#server/imports/runs/imports.ts";
import { previewImport } from "#server/imports/runs/preview-import.ts";
import { runImport } from "#server/imports/runs/run-import.ts";
import { newName } from "#server/imports/uploads/uploads.ts";
import { readConfig } from "#server/platform/config.ts";
import { asTenant, openDatabase } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { Disk } from "#server/platform/files/disk.ts";
import { FolderStore } from "#server/platform/files/folder-store.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { buildTenantWithTwin } from "#server/test/factories/build-rows.ts";
import { EXPORT_OWNER } from "../material/telegram-export.ts";

export interface ImportedTwin {
  organizationId: string;
  userId: string;
  twinId: string;
}

type Importer = Awaited<ReturnType<typeof openImporter>>;

/** @param known a twin of an earlier run; null makes a new one */
export async function openImporter(databaseUrl: string, known: ImportedTwin | null) {
  const dataDir = await mkdtemp(join(tmpdir(), "bench-importer-"));
  const config = readConfig({ NODE_ENV: "test", LOG_LEVEL: "error", DATA_DIR: dataDir });
  const log = createLog(config.logLevel);
  const database = await openDatabase({ databaseUrl, dataDir, pool: 4 });
  const { db } = database;
  const files = new FolderStore(config, new Disk(config));
  const jobs = await openJobs(database, log);
  const twin = known ?? (await makeTwin());
  const caller = { ...twin, role: "org_admin" as const, superAdmin: false, confirmed: true, sessionId: "" };

  async function makeTwin(): Promise<ImportedTwin> {
    const { tenant, twinId } = await buildTenantWithTwin(db);
    return { ...tenant, twinId };
  }

  async function close() {
    await jobs.stop(0);
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return { deps: { db, jobs, files, log, config }, twin, caller, close };
}

/** Reads, starts with every private chat, stores and pairs. */
export async function importInto({ deps, caller, twin }: Importer, file: string): Promise<ImportState> {
  const storedName = newName();
  await deps.files.write(storedName, createReadStream(file) as AsyncIterable<Buffer>);
  const { size: bytes } = await stat(file);
  const received = { digitalTwinId: twin.twinId, fileName: "result.json", storedName, bytes, format: "telegram-json" };
  const { id } = await createImport(deps, caller, received);
  const { signal } = new AbortController();
  await previewImport(deps, jobData(caller, id), signal);
  await startImport(deps, caller, id, { ownerId: EXPORT_OWNER, consent: true });
  await runImport(deps, jobData(caller, id), signal);
  const state = await getImport(deps.db, caller, id);
  if (state.status !== "done") throw new Error(`the import is ${state.status}: ${state.error}`);
  await asTenant(deps.db, caller, (tx) => tx.delete(imports).where(eq(imports.id, id)));
  return state;
}

/** @returns messages of the twin */
export async function trainImported({ deps, twin }: Importer): Promise<number> {
  await trainTwin({ ...deps, queryEmbedder: null }, twin, new AbortController().signal);
  const [row] = await asTenant(deps.db, twin, (tx) => tx.select().from(twins).where(eq(twins.id, twin.twinId)));
  if (row!.status !== "ready") throw new Error(`the twin is ${row!.status}: ${row!.trainingError}`);
  return 0;
}
