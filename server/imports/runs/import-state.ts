/** State changes of an import: reading → preview → running → done, failed or cancelled. Each change locks its row. */
import { and, eq, sql } from "drizzle-orm";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { deleteUntakenFiles } from "#server/imports/attached/attached-rows.ts";
import { type ImportPreview, keepChosen } from "#server/imports/export-reader/preview.ts";
import { removeUpload } from "#server/imports/uploads/uploads.ts";
import { isDatabaseAway, sqlState, type Tx } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { Problem } from "#server/platform/errors.ts";
import { isStorageAway } from "#server/platform/object-storage/bucket.ts";
import { SandboxEnded } from "#server/platform/sandbox/sandbox.ts";
import { pluralForm } from "#server/platform/text/plural.ts";
import type { ImportRow } from "./imports.ts";
import type { ImportJobDeps, ImportRun } from "./job-deps.ts";

/** Returns false when the import is no longer being read. */
export async function reportProgress({ row, transact }: ImportRun, processed: number): Promise<boolean> {
  const told = await transact((tx) =>
    tx
      .update(imports)
      .set({ processed, updatedAt: new Date() })
      .where(and(eq(imports.id, row.id), eq(imports.status, "reading")))
      .returning({ id: imports.id }),
  );
  return told.length > 0;
}

/** Returns whether the import still runs: it is not cancelled and its twin exists. Locks both rows until the transaction ends. */
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

export interface BatchCounts {
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

export async function finishImport(
  deps: ImportJobDeps,
  { job, row, transact }: ImportRun,
  sourceId: string,
): Promise<void> {
  const finished = await transact(async (tx) => {
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
          // The preview has counted `total`. The import may read fewer messages, and its progress must still end at 100 %.
          processed: sql`${imports.total}`,
          error: null,
          updatedAt: new Date(),
        })
        .where(and(eq(imports.id, row.id), eq(imports.status, "running")))
        .returning({ imported: imports.imported });
      // It was cancelled at the last moment, which has enqueued a finishing job.
      if (done === undefined) return false;
      const words = `Импорт завершён: ${messagesWord(done.imported)}`;
      await recordActivity(tx, job, twin, "import_completed", words);
    } else {
      await tx.update(imports).set({ preview: chosen }).where(eq(imports.id, row.id));
    }
    await tx.update(sources).set({ lastImportAt: new Date() }).where(eq(sources.id, sourceId));
    await incrementKnowledgeVersion(tx, twin.id);
    await requestTraining(tx, deps.jobs, job, twin.id);
    return true;
  });
  if (finished) await removeUpload(deps.files, row.storedName);
}

/** An error whose message is shown to the user. */
export class UnusableExport extends Error {}

/**
 * Handles an error of an import's job. Permanent errors end the import with a message, and the file is kept for another attempt. Temporary
 * errors (shutdown, unavailable database or files, no reading process) are rethrown, so that the job is retried.
 */
export async function failImport(
  deps: ImportJobDeps,
  { job, transact }: ImportRun,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted || isDatabaseAway(error) || ["40001", "40P01"].includes(sqlState(error) ?? "")) throw error;
  if (error instanceof SandboxEnded || isStorageAway(error)) throw error;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const sentence =
    error instanceof UnusableExport || error instanceof Problem
      ? error.message
      : code === "ENOENT"
        ? "Файла выгрузки больше нет на сервере: загрузите его снова"
        : syscall !== undefined
          ? "Файл выгрузки не читается с диска сервера"
          : "Импорт прервала внутренняя ошибка. Мы уже знаем о ней, попробуйте ещё раз";
  const dropped = await transact(async (tx) => {
    const [row] = await tx.select().from(imports).where(eq(imports.id, job.importId)).for("update");
    if (row === undefined || (row.status !== "reading" && row.status !== "running")) return null;
    if (!(error instanceof UnusableExport || error instanceof Problem))
      deps.log.error({ err: error, importId: row.id }, "import failed");
    else if (error.cause instanceof SandboxEnded)
      deps.log.warn({ reason: error.cause.reason, importId: row.id, format: row.format }, "an export broke its reader");
    // Files are kept for a restart, which needs a preview; an import that was not running has none.
    const keep = row.status === "running" && code !== "ENOENT";
    if (!keep) await deleteUntakenFiles(tx, row.id);
    await tx
      .update(imports)
      .set({ status: "failed", error: sentence, updatedAt: new Date(), ...(keep ? {} : { storedName: null }) })
      .where(eq(imports.id, row.id));
    return keep ? null : row.storedName;
  });
  await removeUpload(deps.files, dropped);
}

const messagesWord = (count: number): string =>
  `${count.toLocaleString("ru-RU")} ${pluralForm(count, ["сообщение", "сообщения", "сообщений"])}`;
