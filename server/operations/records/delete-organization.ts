/** Deletes a whole organisation. When it returns, all its data is gone; a record of the deletion stays. */
import { count, eq } from "drizzle-orm";
import type { DestructionRecord, OrganizationDeletion } from "#contract/organizations/records.ts";
import { lockOrganization, organizationNotFound } from "#server/accounts/organizations/platform-rows.ts";
import { removeTwin } from "#server/accounts/twins/twins.ts";
import { removeMediaRemains } from "#server/models/media/remains.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { memberships, organizations } from "#server/platform/db/schema/accounts.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { countsOf } from "./counts.ts";
import { asksPassword, type DeletionProof, requireProof } from "./deletion-proof.ts";
import { recordDestruction } from "./destruction-records.ts";

export interface DeletionDeps {
  db: Database;
  jobs: Jobs;
  log: Log;
  config: Config;
  files: FileStore;
}

export async function organizationDeletion(db: Database, caller: Caller): Promise<OrganizationDeletion> {
  const orgId = caller.organizationId;
  const name = await nameOf(db, orgId);
  const [member] = await db.select({ value: count() }).from(memberships).where(eq(memberships.orgId, orgId));
  const counts = await asTenant(db, caller, (tx) => countsOf(tx, orgId));
  return { asksPassword: await asksPassword(db, caller.userId), name, members: member!.value, counts };
}

/** Called by one of its administrators. @throws Problem 400, 403, 429 from `requireProof` */
export async function deleteOrganization(
  deps: DeletionDeps,
  caller: Caller,
  proof: DeletionProof,
): Promise<DestructionRecord> {
  const { db } = deps;
  const orgId = caller.organizationId;
  await requireProof(deps, caller, proof, await nameOf(db, orgId));
  const counts = await asTenant(db, caller, (tx) => countsOf(tx, orgId));
  const files = await emptyOrganization(deps, caller);
  const record = await db.transaction(async (tx) => {
    await dropOrganization(tx, deps.jobs, orgId);
    return recordDestruction(tx, { kind: "organization", subject: orgId, by: caller.userId, counts, orgId });
  });
  await removeFiles(deps, files);
  await removeMediaRemains(deps);
  return record;
}

/**
 * Deletes the organisation's twins one by one as their owners would, so nothing remains that could send messages.
 * @returns the remaining files: uploads without a twin, exports
 */
export async function emptyOrganization(deps: DeletionDeps, tenant: Tenant): Promise<string[]> {
  const { db } = deps;
  const administrator = { ...tenant, role: "org_admin" } as const;
  for (;;) {
    const own = await asTenant(db, tenant, (tx) => tx.select({ id: twins.id }).from(twins).limit(100));
    if (own.length === 0) break;
    for (const { id } of own) await removeTwin(deps, administrator, id);
  }
  return asTenant(db, tenant, async (tx) => {
    const kept = await tx.select({ name: imports.storedName }).from(imports);
    const sent = await tx.select({ name: exportUploads.storedName }).from(exportUploads);
    const made = await tx.select({ name: dataExports.storedName }).from(dataExports);
    return [...kept, ...sent, ...made].flatMap(({ name }) => name ?? []);
  });
}

/** Deletes the organisation's row with everything that refers to it, and its jobs. Its members' sessions in it end; their accounts stay. */
export async function dropOrganization(tx: Tx, jobs: Jobs, orgId: string): Promise<void> {
  await lockOrganization(tx, orgId);
  await jobs.forgetTenant(tx, { organizationId: orgId });
  await tx.delete(organizations).where(eq(organizations.id, orgId));
}

async function nameOf(db: Database, orgId: string): Promise<string> {
  const [row] = await db.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, orgId));
  if (row === undefined) throw organizationNotFound();
  return row.name;
}
