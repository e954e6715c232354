/** The jobs for the two passes over an export file: the preview, and the import of the chosen chats. */
import { runWithCrashLimit } from "#server/platform/jobs/crash-limit.ts";
import type { JobHandlers } from "#server/platform/jobs/queue.ts";
import { importRuns } from "./import-runs.ts";
import type { ImportJobDeps } from "./job-deps.ts";
import { previewImport } from "./preview-import.ts";
import { runImport } from "./run-import.ts";

export function importJobs(deps: ImportJobDeps): Pick<JobHandlers, "preview-import" | "run-import"> {
  return {
    "preview-import": (job, signal) =>
      runWithCrashLimit(deps.db, job, importRuns(job.importId), () => previewImport(deps, job, signal)),
    "run-import": (job, signal) =>
      runWithCrashLimit(deps.db, job, importRuns(job.importId), () => runImport(deps, job, signal)),
  };
}
