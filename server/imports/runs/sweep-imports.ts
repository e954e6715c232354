/** Handles abandoned imports: some get a new job, others are cancelled. */
import { and, eq, inArray, isNotNull, lt, or } from "drizzle-orm";
import { removeUpload, sweepUploads } from "#server/imports/uploads/uploads.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { cancelRow, jobData } from "./imports.ts";
import type { ImportJobDeps } from "./job-deps.ts";

/**
 * Called at the server's start: enqueues imports whose job has used up its attempts, for example while the database was unavailable for
 * long. Also removes files without an import.
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
    const name = row.status === "reading" ? "preview-import" : running;
    await asTenant(deps.db, row, (tx) => deps.jobs.enqueue(tx, name, jobData(row, row.id)));
  }
  const swept = await sweepUploads(deps.db, deps.files);
  if (swept > 0) deps.log.info({ files: swept }, "left-over uploads removed");
}

/** Milliseconds that a preview that was never started, or a failed import that was never retried, is kept. */
const FORGOTTEN_MS = 7 * 24 * 3600_000;

/** Cancels abandoned imports, because their file and preview contain other people's messages and names. @returns how many */
export async function cancelAbandonedImports(
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
    await removeUpload(deps.files, storedName);
  }
  return forgotten.length;
}
