import { and, eq } from "drizzle-orm";
import { exportReader } from "#server/imports/reading/export-reader.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { failImport, reportProgress, UnusableExport } from "./import-state.ts";
import { filesOf, findRow, type ImportJobDeps, type JobTenant } from "./job-deps.ts";

/** How often progress is stored. */
const PROGRESS_MS = 500;

/** Job `preview-import`: reads the file once for the preview; an import that is no longer `reading` is left alone. */
export async function previewImport(deps: ImportJobDeps, data: JobTenant, signal: AbortSignal): Promise<void> {
  const { exports = exportReader } = deps;
  const row = await findRow(deps, data);
  if (row === undefined || row.status !== "reading" || row.storedName === null) return;
  try {
    let toldAt = performance.now();
    const tell = async (total: number) => {
      if (performance.now() - toldAt < PROGRESS_MS) return true;
      toldAt = performance.now();
      return reportProgress(deps, data, total);
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
