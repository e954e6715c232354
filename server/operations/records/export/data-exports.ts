/** Requests, shows, downloads and removes a full export: only for the person who asked, in a session. */
import type { Readable } from "node:stream";
import { and, eq } from "drizzle-orm";
import type { FastifyReply } from "fastify";
import type { DataExport } from "#contract/organizations/records.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { recentlyConfirmedUser } from "#server/accounts/auth/reauthentication.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { notFound, Problem } from "#server/platform/errors.ts";
import { type FileStore, streamOf } from "#server/platform/files/file-store.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { type ExportRow, jobOf, newZipName, toDataExport } from "./export-rows.ts";
import type { ExportScope } from "./scope.ts";

interface Deps {
  db: Database;
  jobs: Jobs;
  config: Config;
  files: FileStore;
  log: Log;
}

/** A person has at most one export of each scope in an organisation. */
const mine = ({ organizationId, userId }: Tenant, scope: ExportScope) =>
  and(eq(dataExports.orgId, organizationId), eq(dataExports.userId, userId), eq(dataExports.scope, scope));

const rowOf = async (tx: Tx, caller: Tenant, scope: ExportScope): Promise<ExportRow | undefined> =>
  (await tx.select().from(dataExports).where(mine(caller, scope)))[0];

export async function lookAtExport(db: Database, caller: Tenant, scope: ExportScope): Promise<DataExport | null> {
  const row = await asTenant(db, caller, (tx) => rowOf(tx, caller, scope));
  return row === undefined || isOver(row) ? null : toDataExport(row);
}

const isOver = ({ state, keptUntil }: ExportRow): boolean =>
  state === "ready" && (keptUntil === null || keptUntil <= new Date());

/**
 * Starts an export and replaces one that is ready or has failed; a running one continues.
 * @throws Problem 403 for an old sign-in and for the demo user
 */
export async function requestExport(deps: Deps, caller: Caller, scope: ExportScope): Promise<DataExport> {
  const { db, jobs } = deps;
  await recentlyConfirmedUser(deps, caller);
  const { organizationId, userId } = caller;
  const { row, left } = await asTenant(db, caller, async (tx) => {
    const [before] = await tx.select().from(dataExports).where(mine(caller, scope)).for("update");
    if (before?.state === "waiting" || before?.state === "running") return { row: before, left: null };
    if (before !== undefined) await tx.delete(dataExports).where(eq(dataExports.id, before.id));
    const [made] = await tx
      .insert(dataExports)
      .values({ orgId: organizationId, userId, scope, storedName: newZipName() })
      .onConflictDoNothing()
      .returning();
    // Another request came first.
    if (made === undefined) return { row: (await rowOf(tx, caller, scope))!, left: null };
    await jobs.enqueue(tx, "make-export", jobOf(made));
    await auditInTenant(tx, { action: "export-requested", userId, organizationId, detail: { scope } });
    return { row: made, left: before?.storedName ?? null };
  });
  if (left !== null) await removeFiles(deps, [left]);
  return toDataExport(row);
}

/** Removes an export, also a running one: its job finds no row and ends. */
export async function removeExport(deps: Deps, caller: Tenant, scope: ExportScope): Promise<void> {
  const removed = await asTenant(deps.db, caller, (tx) =>
    tx.delete(dataExports).where(mine(caller, scope)).returning({ storedName: dataExports.storedName }),
  );
  await removeFiles(
    deps,
    removed.flatMap(({ storedName }) => storedName ?? []),
  );
}

/** Returns the file as a download. @throws Problem 404 unless it is ready */
export async function fetchExport(
  { db, files }: Deps,
  caller: Tenant,
  scope: ExportScope,
  reply: FastifyReply,
): Promise<Readable> {
  const row = await asTenant(db, caller, (tx) => rowOf(tx, caller, scope));
  if (row === undefined || row.state !== "ready" || isOver(row) || row.storedName === null) throw exportNotFound();
  const file = await files.open(row.storedName).catch((error: unknown) => {
    throw error instanceof Problem ? error : exportNotFound();
  });
  // Reads a byte first, so that an unavailable storage is an error and not a broken download.
  try {
    await file.read(0, 1);
    const { userId, organizationId } = caller;
    await asTenant(db, caller, (tx) =>
      auditInTenant(tx, { action: "export-downloaded", userId, organizationId, detail: { scope } }),
    );
  } catch (error) {
    await file.close();
    throw error;
  }
  const day = (row.readyAt ?? row.createdAt).toISOString().slice(0, 10);
  void reply
    .type("application/zip")
    .header("content-length", file.size)
    .header("content-disposition", `attachment; filename="digital-twins-${scope}-${day}.zip"`);
  return streamOf(file);
}

const exportNotFound = () => notFound("Готовой выгрузки нет: закажите её снова", "export_not_found");
