/** The two passes over an export file: one for the preview, one that brings the chosen chats in. */
import { and, eq, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import {
  asPlatform,
  asTenant,
  type Database,
  isDatabaseAway,
  sqlState,
  type Tenant,
  type Tx,
} from "#server/db/database.ts";
import { chats, contacts, imports, messages, sources, twins } from "#server/db/schema.ts";
import { MANY_ROWS, refreshStatistics } from "#server/db/statistics.ts";
import { Problem } from "#server/errors.ts";
import { countedRun } from "#server/jobs/counted-run.ts";
import type { JobHandlers, Jobs } from "#server/jobs/queue.ts";
import { pairChats } from "#server/knowledge/pair-chats.ts";
import type { Log } from "#server/log.ts";
import { SandboxEnded } from "#server/sandbox/sandbox.ts";
import { IndexAhead } from "#server/search/segments/index-ahead.ts";
import { bumpKnowledge, requestTraining } from "#server/twins/training.ts";
import { recordActivity } from "#server/twins/usage.ts";
import { openHistory } from "./history-source.ts";
import { importHistory } from "./import-history.ts";
import { importRuns } from "./import-runs.ts";
import { cancelRow, type ImportRow, jobData } from "./imports.ts";
import { type ImportPreview, keepChosen } from "./preview.ts";
import { type ExportReader, exportReader, type NamedPath } from "./reading/export-reader.ts";
import { removeUpload, storedFiles, sweepUploads } from "./uploads.ts";

export interface ImportJobDeps {
  db: Database;
  jobs: Jobs;
  config: { dataDir: string };
  log: Log;
  /** Another one than the server's: in tests alone. */
  exports?: ExportReader;
}

export type JobTenant = Tenant & { importId: string };

/** How often a reading says how far it is. */
const PROGRESS_MS = 500;

export function importJobs(deps: ImportJobDeps): Pick<JobHandlers, "read-import" | "run-import"> {
  return {
    "read-import": (data, signal) =>
      countedRun(deps.db, data, importRuns(data.importId), () => readImport(deps, data, signal)),
    "run-import": (data, signal) =>
      countedRun(deps.db, data, importRuns(data.importId), () => runImport(deps, data, signal)),
  };
}

/**
 * For the start of the server: asks again for the work of imports whose job has used up its tries (a database that was
 * away for long), and removes files that belong to none.
 */
export async function resumeImports(deps: ImportJobDeps): Promise<void> {
  const open = await asPlatform(deps.db, (tx) =>
    tx
      .select({
        id: imports.id,
        organizationId: imports.orgId,
        userId: imports.userId,
        status: imports.status,
        integrationId: imports.integrationId,
      })
      .from(imports)
      .where(inArray(imports.status, ["reading", "running"])),
  );
  for (const row of open) {
    const running = row.integrationId === null ? "run-import" : "import-account";
    const name = row.status === "reading" ? "read-import" : running;
    await asTenant(deps.db, row, (tx) => deps.jobs.enqueue(tx, name, jobData(row, row.id)));
  }
  const swept = await sweepUploads(deps.db, deps.config.dataDir);
  if (swept > 0) deps.log.info({ files: swept }, "left-over uploads removed");
}

/** A preview that nobody started and a failed import that nobody tried again are kept so long. */
const FORGOTTEN_MS = 7 * 24 * 3600_000;

/**
 * Cancels imports that were left lying: their file and the names in their preview are other people's letters. @returns how many
 */
export async function cancelForgottenImports(
  deps: ImportJobDeps,
  now = Date.now(),
  keptMs = FORGOTTEN_MS,
): Promise<number> {
  const forgotten = await asPlatform(deps.db, (tx) =>
    tx
      .select({ id: imports.id, organizationId: imports.orgId, userId: imports.userId })
      .from(imports)
      .where(
        and(
          inArray(imports.status, ["preview", "failed"]),
          or(isNotNull(imports.preview), isNotNull(imports.storedName)),
          lt(imports.updatedAt, new Date(now - keptMs)),
        ),
      ),
  );
  for (const tenant of forgotten) {
    const storedName = await asTenant(deps.db, tenant, async (tx) => {
      const [row] = await tx.select().from(imports).where(eq(imports.id, tenant.id)).for("update");
      if (row === undefined || (row.status !== "preview" && row.status !== "failed")) return null;
      await cancelRow(tx, deps.jobs, tenant, row);
      return row.storedName;
    });
    await removeUpload(deps.config.dataDir, storedName);
  }
  return forgotten.length;
}

/** Job `read-import`: an import that is not `reading` any more is left alone. */
export async function readImport(deps: ImportJobDeps, data: JobTenant, signal: AbortSignal): Promise<void> {
  const { exports = exportReader } = deps;
  const row = await findRow(deps, data);
  if (row === undefined || row.status !== "reading" || row.storedName === null) return;
  try {
    let toldAt = performance.now();
    const tell = async (total: number) => {
      if (performance.now() - toldAt < PROGRESS_MS) return true;
      toldAt = performance.now();
      return tellProgress(deps, data, total);
    };
    const preview = await exports.preview(await filesOf(deps, row), tell, signal);
    if (preview === null) return;
    if (preview.total === 0) throw new UnusableExport("В файле не нашлось ни одного сообщения");
    await asTenant(deps.db, data, (tx) =>
      tx
        .update(imports)
        .set({
          status: "preview",
          preview,
          incomplete: preview.incomplete,
          total: preview.total,
          processed: 0,
          error: null,
          cutOff: 0,
          updatedAt: new Date(),
        })
        .where(and(eq(imports.id, data.importId), eq(imports.status, "reading"))),
    );
  } catch (error) {
    await failImport(deps, data, error, signal);
  }
}

/** Job `run-import`: starts behind what an earlier run has stored; of a cancelled import it only finishes that. */
export async function runImport(deps: ImportJobDeps, data: JobTenant, signal: AbortSignal): Promise<void> {
  const { exports = exportReader } = deps;
  const row = await findRow(deps, data);
  if (row === undefined || row.preview === null || row.ownerId === null || row.chatIds === null) return;
  if (row.status !== "running" && row.status !== "cancelled") return;
  const index = await IndexAhead.open(deps.db, data, row.twinId, signal);
  try {
    const history = await openHistory(deps.db, data, row, row.ownerId, row.chatIds);
    if (history === null) return;
    if (row.status === "running" && row.processed < row.total) {
      let stored = 0;
      const plan = {
        ...history,
        twinId: row.twinId,
        ownerId: row.ownerId,
        done: row.processed,
        undatedAt: row.createdAt,
        proceed: (tx: Tx) => isRunning(tx, row),
        record: (tx: Tx, counts: BatchCounts) => {
          stored += counts.stored;
          index.stored("message", counts.stored);
          return recordBatch(tx, row.id, counts);
        },
      };
      const incoming = exports.messages(await filesOf(deps, row), row.chatIds, signal);
      if (!(await importHistory(deps.db, data, plan, incoming, signal))) return;
      // Pairing reads what was just stored.
      if (stored >= MANY_ROWS) await refreshStatistics(deps.db, [chats, contacts, messages]);
    }
    await pairChats(deps.db, data, row.twinId, history.chats.values(), signal, (pairs) =>
      index.stored("exemplar", pairs),
    );
    // The training that is asked for would build the segment that is on its way.
    await Promise.allSettled([index.end()]);
    await finishImport(deps, data, row, history.sourceId);
  } catch (error) {
    await failImport(deps, data, error, signal);
  } finally {
    // An index that cannot be built is no failure of the import; the training will meet the same.
    await index.end();
  }
}

export async function finishImport(
  deps: ImportJobDeps,
  tenant: Tenant,
  row: ImportRow,
  sourceId: string,
): Promise<void> {
  const finished = await asTenant(deps.db, tenant, async (tx) => {
    const twin = await lockTwin(tx, row.twinId);
    if (twin === undefined) return false;
    const chosen = keepChosen(row.preview as ImportPreview, row.ownerId!, row.chatIds!);
    if (row.status === "running") {
      const [done] = await tx
        .update(imports)
        .set({
          status: "done",
          storedName: null,
          preview: chosen,
          // Messages that the preview could read and this pass could not are no reason to look unfinished.
          processed: sql`${imports.total}`,
          error: null,
          updatedAt: new Date(),
        })
        .where(and(eq(imports.id, row.id), eq(imports.status, "running")))
        .returning({ imported: imports.imported });
      // Cancelled in the last moment: that has asked for a finishing job of its own.
      if (done === undefined) return false;
      const words = `Импорт завершён: ${messagesWord(done.imported)}`;
      await recordActivity(tx, tenant, twin, "import_completed", words);
    } else {
      await tx.update(imports).set({ preview: chosen }).where(eq(imports.id, row.id));
    }
    await tx.update(sources).set({ lastImportAt: new Date() }).where(eq(sources.id, sourceId));
    await bumpKnowledge(tx, twin.id);
    await requestTraining(tx, deps.jobs, tenant, twin.id);
    return true;
  });
  if (finished) await removeUpload(deps.config.dataDir, row.storedName);
}

/** The import goes on: nobody has cancelled it, and its twin is there. Holds both rows until the transaction ends. */
export async function isRunning(tx: Tx, { id, twinId }: ImportRow): Promise<boolean> {
  if ((await lockTwin(tx, twinId)) === undefined) return false;
  const [row] = await tx.select({ status: imports.status }).from(imports).where(eq(imports.id, id)).for("update");
  return row?.status === "running";
}

async function lockTwin(tx: Tx, id: string): Promise<{ id: string; name: string } | undefined> {
  const [twin] = await tx
    .select({ id: twins.id, name: twins.name })
    .from(twins)
    .where(eq(twins.id, id))
    .for("no key update");
  return twin;
}

interface BatchCounts {
  batch: number;
  stored: number;
}

export async function recordBatch(tx: Tx, importId: string, { batch, stored }: BatchCounts): Promise<void> {
  await tx
    .update(imports)
    .set({
      processed: sql`${imports.processed} + ${batch}`,
      imported: sql`${imports.imported} + ${stored}`,
      duplicates: sql`${imports.duplicates} + ${batch - stored}`,
      ...(batch > 0 ? { cutOff: 0 } : {}),
      updatedAt: new Date(),
    })
    .where(eq(imports.id, importId));
}

/** False when the import is no longer being read. */
async function tellProgress(deps: ImportJobDeps, data: JobTenant, processed: number): Promise<boolean> {
  const told = await asTenant(deps.db, data, (tx) =>
    tx
      .update(imports)
      .set({ processed, updatedAt: new Date() })
      .where(and(eq(imports.id, data.importId), eq(imports.status, "reading")))
      .returning({ id: imports.id }),
  );
  return told.length > 0;
}

class UnusableExport extends Error {}

/**
 * What the user can do something about, or nobody can, ends the import with a sentence; after a failed import the file is
 * kept for another try. What passes by itself (the server stops, the database is away, no reading process begins) is thrown on: the job
 * comes again.
 */
export async function failImport(
  deps: ImportJobDeps,
  data: JobTenant,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted || isDatabaseAway(error) || ["40001", "40P01"].includes(sqlState(error) ?? "")) throw error;
  if (error instanceof SandboxEnded) throw error;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const sentence =
    error instanceof UnusableExport || error instanceof Problem
      ? error.message
      : code === "ENOENT"
        ? "Файла выгрузки больше нет на сервере: загрузите его снова"
        : syscall !== undefined
          ? "Файл выгрузки не читается с диска сервера"
          : "Импорт прервала внутренняя ошибка. Мы уже знаем о ней, попробуйте ещё раз";
  const dropped = await asTenant(deps.db, data, async (tx) => {
    const [row] = await tx.select().from(imports).where(eq(imports.id, data.importId)).for("update");
    if (row === undefined || (row.status !== "reading" && row.status !== "running")) return null;
    if (!(error instanceof UnusableExport || error instanceof Problem))
      deps.log.error({ err: error, importId: row.id }, "import failed");
    else if (error.cause instanceof SandboxEnded)
      deps.log.warn({ reason: error.cause.reason, importId: row.id, format: row.format }, "an export broke its reader");
    // Without a preview there is nothing to start again.
    const keep = row.status === "running" && code !== "ENOENT";
    await tx
      .update(imports)
      .set({ status: "failed", error: sentence, updatedAt: new Date(), ...(keep ? {} : { storedName: null }) })
      .where(eq(imports.id, row.id));
    return keep ? null : row.storedName;
  });
  await removeUpload(deps.config.dataDir, dropped);
}

export async function findRow({ db }: ImportJobDeps, data: JobTenant): Promise<ImportRow | undefined> {
  const [row] = await asTenant(db, data, (tx) => tx.select().from(imports).where(eq(imports.id, data.importId)));
  return row;
}

/** The files behind an import, as they are called. */
async function filesOf({ config }: ImportJobDeps, row: ImportRow): Promise<NamedPath[]> {
  const files = await storedFiles(config.dataDir, row.storedName!);
  return files.map(({ path, fileName }) => ({ path, name: fileName ?? row.fileName, label: fileName }));
}

const PLURAL = new Intl.PluralRules("ru");
const MESSAGE_WORDS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "сообщение", few: "сообщения" };

const messagesWord = (count: number): string =>
  `${count.toLocaleString("ru-RU")} ${MESSAGE_WORDS[PLURAL.select(count)] ?? "сообщений"}`;
