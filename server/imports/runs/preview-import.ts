import { and, eq } from "drizzle-orm";
import { exportReader } from "#server/imports/export-reader/export-reader.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { failImport, reportProgress, UnusableExport } from "./import-state.ts";
import { filesOf, type ImportJob, type ImportJobDeps, loadRun } from "./job-deps.ts";

const PROGRESS_MS = 500;

/** Runs the job `preview-import`: reads the file once for the preview. Skips an import that is no longer `reading`. */
export async function previewImport(deps: ImportJobDeps, job: ImportJob, signal: AbortSignal): Promise<void> {
  const { exports = exportReader } = deps;
  const run = await loadRun(deps, job);
  if (run === null || run.row.status !== "reading" || run.row.storedName === null) return;
  try {
    let toldAt = performance.now();
    const tell = async (total: number) => {
      if (performance.now() - toldAt < PROGRESS_MS) return true;
      toldAt = performance.now();
      return reportProgress(run, total);
    };
    const preview = await exports.preview(await filesOf(deps, run), tell, signal);
    if (preview === null) return;
    if (preview.total === 0) throw new UnusableExport("В файле не нашлось ни одного сообщения");
    await run.transact((tx) =>
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
        .where(and(eq(imports.id, job.importId), eq(imports.status, "reading"))),
    );
  } catch (error) {
    await failImport(deps, run, error, signal);
  }
}
