/** The job that writes the zip. The next run discards the file of an interrupted run and starts again. */
import { and, eq } from "drizzle-orm";
import { type NoticeDeps, sendNoticeFromJob } from "#server/accounts/mail/notices.ts";
import { claimExportStorage } from "#server/accounts/organizations/storage.ts";
import { asTenant, type Database, isDatabaseAway } from "#server/platform/db/database.ts";
import { memberships, users } from "#server/platform/db/schema/accounts.ts";
import { Problem } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { runWithCrashLimit } from "#server/platform/jobs/crash-limit.ts";
import type { JobHandlers } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { isStorageAway } from "#server/platform/object-storage/bucket.ts";
import { countContents, partsOf } from "./export/contents.ts";
import {
  type ExportJob,
  type ExportRow,
  exportRuns,
  failExport,
  findExport,
  finishExport,
  reserveExportBytes,
  updateExport,
} from "./export/export-rows.ts";
import { ZipWriter } from "./export/zip-writer.ts";

interface ExportDeps extends NoticeDeps {
  db: Database;
  files: FileStore;
  config: NoticeDeps["config"] & { organizationBytes: number };
  log: Log;
}

const PROGRESS_MS = 500;

export const exportJobs = (deps: ExportDeps): Pick<JobHandlers, "make-export"> => ({
  "make-export": (data, signal) =>
    runWithCrashLimit(deps.db, data, exportRuns(data), () => makeExport(deps, data, signal)),
});

/** Thrown when the export was removed or its data was deleted. */
class Stopped extends Error {}

export async function makeExport(deps: ExportDeps, job: ExportJob, signal: AbortSignal): Promise<void> {
  const { db, files } = deps;
  const row = await findExport(db, job);
  if (row === undefined || row.storedName === null) return;
  if (row.state !== "waiting" && row.state !== "running") return;
  if (!(await mayHave(db, row))) {
    await failExport(db, job, "not_allowed");
    return;
  }
  const { storedName } = row;
  await files.remove(storedName);
  try {
    const bytes = await write(deps, job, { ...row, storedName }, signal);
    const keptUntil = await finishExport(db, job, bytes);
    if (keptUntil === null) throw new Stopped();
    await sendNoticeFromJob(deps, row.userId, { kind: "export-ready", detail: { until: moscow.format(keptUntil) } });
  } catch (error) {
    await files.remove(storedName);
    if (error instanceof Stopped) return;
    // The next run starts again.
    if (signal.aborted || isDatabaseAway(error) || isStorageAway(error)) throw error;
    const reason = reasonOf(error);
    if (reason === "broken") deps.log.error({ err: error, exportId: row.id }, "an export broke off");
    await failExport(db, job, reason);
  }
}

async function write(
  deps: ExportDeps,
  job: ExportJob,
  row: ExportRow & { storedName: string },
  signal: AbortSignal,
): Promise<number> {
  const { db, files } = deps;
  const source = { db, whose: { organizationId: job.organizationId, userId: job.userId }, scope: row.scope };
  const goOn = async (change: Parameters<typeof updateExport>[2]) => {
    signal.throwIfAborted();
    if (!(await updateExport(db, job, change))) throw new Stopped();
  };
  await goOn({ done: 0, bytes: 0, total: await countContents(source) });

  let [done, toldAt] = [0, performance.now()];
  const onRows = async (count: number) => {
    done += count;
    if (performance.now() - toldAt < PROGRESS_MS) return;
    toldAt = performance.now();
    await goOn({ done });
  };
  const reserve = (bytes: number) =>
    asTenant(db, job, async (tx) => {
      await claimExportStorage(tx, deps, job, { exportId: row.id, bytes });
      if (!(await reserveExportBytes(tx, job, bytes))) throw new Stopped();
    });

  const zip = new ZipWriter((pieces) => files.write(row.storedName, pieces, signal), reserve);
  try {
    const contents = { ...source, files, ownerName: await nameOf(db, row.userId), onRows };
    for await (const { name, source: lines, packed = false } of partsOf(contents)) {
      signal.throwIfAborted();
      await zip.add(name, lines, { packed });
    }
    return await zip.end();
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

/** Returns whether the person is still a member, and still an administrator if the scope requires it. */
async function mayHave(db: Database, { orgId, userId, scope }: ExportRow): Promise<boolean> {
  const [member] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, userId)));
  return member !== undefined && (scope === "account" || member.role === "org_admin");
}

async function nameOf(db: Database, userId: string): Promise<string> {
  const [user] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, userId));
  return [user?.firstName, user?.lastName].filter(Boolean).join(" ") || "Я";
}

function reasonOf(error: unknown): "storage_full" | "no_space" | "broken" {
  if (error instanceof Problem && error.status === 413) return "storage_full";
  if (error instanceof Problem && error.status === 507) return "no_space";
  const { code } = error as { code?: unknown };
  return code === "ENOSPC" || code === "EDQUOT" ? "no_space" : "broken";
}

const moscow = new Intl.DateTimeFormat("ru-RU", { dateStyle: "long", timeZone: "Europe/Moscow" });
