/** Removes the files of expired or failed exports, and enqueues exports whose job was lost. */
import { and, eq, inArray, isNotNull, lt, or } from "drizzle-orm";
import { asPlatform, asTenant, type Database } from "#server/platform/db/database.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { type FileDeps, removeFiles } from "#server/platform/files/stored-files.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { jobOf, STORED_ZIP } from "./export/export-rows.ts";

const HOUR = 3600_000;

/** Called at the start of the server and every hour. */
export async function resumeExports({ db, jobs }: { db: Database; jobs: Jobs }): Promise<void> {
  const waiting = await asPlatform(db, (tx) =>
    tx
      .select()
      .from(dataExports)
      .where(inArray(dataExports.state, ["waiting", "running"])),
  );
  for (const row of waiting) {
    const job = jobOf(row);
    await asTenant(db, job, (tx) => jobs.enqueue(tx, "make-export", job));
  }
}

/** @returns the number of removed files */
export async function sweepExports(deps: FileDeps & { db: Database }, now = Date.now()): Promise<number> {
  const { db, files } = deps;
  const over = await asPlatform(db, (tx) =>
    tx
      .select()
      .from(dataExports)
      .where(
        or(
          and(eq(dataExports.state, "ready"), lt(dataExports.keptUntil, new Date(now))),
          and(eq(dataExports.state, "failed"), isNotNull(dataExports.storedName)),
        ),
      ),
  );
  const gone: string[] = [];
  for (const row of over) {
    const job = jobOf(row);
    const [swept] = await asTenant(db, job, (tx) => {
      // An export that was requested again meanwhile has another row.
      const same = and(eq(dataExports.id, row.id), eq(dataExports.state, row.state));
      return row.state === "ready"
        ? tx.delete(dataExports).where(same).returning({ id: dataExports.id })
        : tx.update(dataExports).set({ storedName: null, bytes: 0 }).where(same).returning({ id: dataExports.id });
    });
    if (swept !== undefined && row.storedName !== null) gone.push(row.storedName);
  }
  gone.push(...(await orphanedFiles(db, files, now)));
  await removeFiles(deps, gone);
  return gone.length;
}

/**
 * Returns files that are older than an hour and that no row of the database refers to. They remain when an account or organisation is
 * deleted while its export is written. A file that has changed within the hour may still be written to.
 */
async function orphanedFiles(db: Database, files: FileStore, now: number): Promise<string[]> {
  const old = (await files.unchangedSince(now - HOUR)).filter((name) => STORED_ZIP.test(name));
  if (old.length === 0) return [];
  const known = await asPlatform(db, (tx) =>
    tx.select({ name: dataExports.storedName }).from(dataExports).where(inArray(dataExports.storedName, old)),
  );
  const kept = new Set(known.map(({ name }) => name));
  return old.filter((name) => !kept.has(name));
}
