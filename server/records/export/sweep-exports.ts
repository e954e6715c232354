/** What has had its time, or has failed, leaves no file; work whose job was lost is asked for again. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { and, eq, inArray, isNotNull, lt, or } from "drizzle-orm";
import { asPlatform, asTenant, type Database } from "#server/db/database.ts";
import { dataExports } from "#server/db/schema.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { type FileDeps, removeFiles, storedPath } from "#server/stored-files.ts";
import { jobOf, STORED_ZIP } from "./export-rows.ts";

const HOUR = 3600_000;

/** For the start of the server and every hour. */
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

/** @returns how many files went */
export async function sweepExports(deps: FileDeps & { db: Database }, now = Date.now()): Promise<number> {
  const { db, config } = deps;
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
      // Asked for anew meanwhile it is another row.
      const same = and(eq(dataExports.id, row.id), eq(dataExports.state, row.state));
      return row.state === "ready"
        ? tx.delete(dataExports).where(same).returning({ id: dataExports.id })
        : tx.update(dataExports).set({ storedName: null, bytes: 0 }).where(same).returning({ id: dataExports.id });
    });
    if (swept !== undefined && row.storedName !== null) gone.push(row.storedName);
  }
  gone.push(...(await unknownFiles(db, config.dataDir, now)));
  await removeFiles(deps, gone);
  return gone.length;
}

/** Older than an hour, and of no row: an account or an organisation that went while it was written. */
async function unknownFiles(db: Database, dataDir: string, now: number): Promise<string[]> {
  const names = (await readdir(join(dataDir, "uploads")).catch(() => [])).filter((name) => STORED_ZIP.test(name));
  const old: string[] = [];
  for (const name of names) {
    const facts = await stat(storedPath(dataDir, name)).catch(() => null);
    if (facts !== null && now - facts.mtimeMs > HOUR) old.push(name);
  }
  if (old.length === 0) return [];
  const known = await asPlatform(db, (tx) =>
    tx.select({ name: dataExports.storedName }).from(dataExports).where(inArray(dataExports.storedName, old)),
  );
  const kept = new Set(known.map(({ name }) => name));
  return old.filter((name) => !kept.has(name));
}
