/** The row of an export: its progress, its size on disk, and its end, which is reported once. */
import { randomBytes } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { DataExport, ExportFailure } from "#contract/organizations/records.ts";
import { EXPORT_KEPT_DAYS } from "#contract/organizations/records.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import type { CrashCounter } from "#server/platform/jobs/crash-limit.ts";

export type ExportRow = typeof dataExports.$inferSelect;
export type ExportJob = Tenant & { exportId: string };

const OPEN = ["waiting", "running"] as const;
export const STORED_ZIP = /^archive-[0-9a-f]{32}$/;
export const newZipName = (): string => `archive-${randomBytes(16).toString("hex")}`;

export const jobOf = ({ orgId, userId, id }: Pick<ExportRow, "orgId" | "userId" | "id">): ExportJob => ({
  organizationId: orgId,
  userId,
  exportId: id,
});

/** Limits a statement to the export of the person who asked for it. */
const mine = ({ organizationId, userId, exportId }: ExportJob) =>
  and(eq(dataExports.id, exportId), eq(dataExports.orgId, organizationId), eq(dataExports.userId, userId));
const open = (job: ExportJob) => and(mine(job), inArray(dataExports.state, [...OPEN]));

export async function findExport(db: Database, job: ExportJob): Promise<ExportRow | undefined> {
  const [row] = await asTenant(db, job, (tx) => tx.select().from(dataExports).where(mine(job)));
  return row;
}

type Change = Partial<Pick<ExportRow, "done" | "total" | "bytes">>;

/** Updates a running export. @returns false when it was removed or has failed meanwhile */
export async function updateExport(db: Database, job: ExportJob, change: Change): Promise<boolean> {
  const rows = await asTenant(db, job, (tx) =>
    tx
      .update(dataExports)
      .set({ ...change, state: "running" })
      .where(open(job))
      .returning({ id: dataExports.id }),
  );
  return rows.length > 0;
}

/** Stores the size on disk, in the transaction that reserves the space. @returns false as in `updateExport` */
export async function reserveExportBytes(tx: Tx, job: ExportJob, bytes: number): Promise<boolean> {
  const rows = await tx.update(dataExports).set({ bytes }).where(open(job)).returning({ id: dataExports.id });
  return rows.length > 0;
}

/** @returns until when the export is kept; null when it was removed or has failed meanwhile */
export async function finishExport(db: Database, job: ExportJob, bytes: number): Promise<Date | null> {
  const readyAt = new Date();
  const keptUntil = new Date(readyAt.getTime() + EXPORT_KEPT_DAYS * 24 * 3600_000);
  const rows = await asTenant(db, job, (tx) =>
    tx
      .update(dataExports)
      .set({ state: "ready", reason: null, done: sql`${dataExports.total}`, bytes, readyAt, keptUntil })
      .where(and(mine(job), eq(dataExports.state, "running")))
      .returning({ id: dataExports.id }),
  );
  return rows.length > 0 ? keptUntil : null;
}

export async function failExport(db: Database, job: ExportJob, reason: ExportFailure): Promise<void> {
  await asTenant(db, job, (tx) => tx.update(dataExports).set({ state: "failed", reason, bytes: 0 }).where(open(job)));
}

export const exportRuns = (job: ExportJob): CrashCounter => ({
  key: `export ${job.exportId}`,
  async add(tx, change) {
    const [row] = await tx
      .update(dataExports)
      .set({ cutOff: sql`greatest(0, ${dataExports.cutOff} + ${change})` })
      .where(mine(job))
      .returning({ cutOff: dataExports.cutOff });
    return row?.cutOff ?? null;
  },
  async giveUp(tx) {
    await tx.update(dataExports).set({ state: "failed", reason: "broken", bytes: 0 }).where(open(job));
  },
});

export const toDataExport = (row: ExportRow): DataExport => ({
  id: row.id,
  state: row.state,
  reason: row.reason,
  progress: row.state === "ready" ? 1 : row.total === 0 ? 0 : Math.min(0.99, row.done / row.total),
  bytes: row.state === "ready" ? row.bytes : 0,
  requestedAt: row.createdAt.toISOString(),
  readyAt: row.readyAt?.toISOString() ?? null,
  keptUntil: row.state === "ready" ? (row.keptUntil?.toISOString() ?? null) : null,
});
