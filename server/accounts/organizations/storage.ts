/**
 * Measures how much an organisation stores and whether more fits (docs/decisions/012-file-storage-and-disk-quotas.md). An upload counts
 * with its full size from its beginning, so two simultaneous uploads cannot exceed the quota together.
 */
import { and, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { OrganizationStorage, PlatformDisk } from "#contract/organizations/storage.ts";
import { writtenSize } from "#contract/written-size.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { documents, indexSegments } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { tooLarge } from "#server/platform/errors.ts";
import { type Disk, type DiskState, isDiskSpaceLow } from "#server/platform/files/disk.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";

export interface StorageDeps {
  disk: Disk;
  files: FileStore;
  config: { organizationBytes: number };
}

type Kept = Pick<OrganizationStorage, "uploadsBytes" | "documentsBytes" | "indexesBytes" | "mediaBytes">;

const total = (value: ReturnType<typeof sql>) => sql<number>`coalesce(sum(${value}), 0)`.mapWith(Number);

async function keptBy(tx: Tx, organizationId: string): Promise<Kept> {
  const [coming] = await tx
    .select({ bytes: total(sql`${exportUploads.bytes}`) })
    .from(exportUploads)
    .where(eq(exportUploads.orgId, organizationId));
  const [waiting] = await tx
    .select({ bytes: total(sql`${imports.bytes}`) })
    .from(imports)
    .where(and(eq(imports.orgId, organizationId), isNotNull(imports.storedName)));
  const [texts] = await tx
    .select({ bytes: total(sql`octet_length(${documents.content})`) })
    .from(documents)
    .where(eq(documents.orgId, organizationId));
  const [indexes] = await tx
    .select({ bytes: total(sql`octet_length(${indexSegments.bytes})`) })
    .from(indexSegments)
    // Selected by twin, the first column of the segments' index.
    .where(sql`${indexSegments.twinId} in (select ${twins.id} from ${twins} where ${twins.orgId} = ${organizationId})`);
  const [media] = await tx
    .select({ bytes: total(sql`${mediaFiles.bytes}`) })
    .from(mediaFiles)
    .where(and(eq(mediaFiles.orgId, organizationId), isNotNull(mediaFiles.storedName)));
  return {
    uploadsBytes: coming!.bytes + waiting!.bytes,
    documentsBytes: texts!.bytes,
    indexesBytes: indexes!.bytes,
    mediaBytes: media!.bytes,
  };
}

const sumOf = ({ uploadsBytes, documentsBytes, indexesBytes, mediaBytes }: Kept) =>
  uploadsBytes + documentsBytes + indexesBytes + mediaBytes;

/**
 * Reserves space in the transaction that writes the counted row; other reservations of the organisation wait until it ends.
 * @throws Problem 413 with the used space and what may be deleted; 507 when the server's disk is full
 */
export async function claimStorage(
  tx: Tx,
  { files, config }: Pick<StorageDeps, "files" | "config">,
  { organizationId }: Tenant,
  bytes: number,
): Promise<void> {
  await files.leaveFree(bytes);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 3))`);
  const used = sumOf(await keptBy(tx, organizationId));
  const limit = config.organizationBytes;
  if (used + bytes <= limit) return;
  throw tooLarge(
    "storage_full",
    `Место организации заканчивается: занято ${writtenSize(used)} из ${writtenSize(limit)}, а нужно ещё ${writtenSize(bytes)}. ` +
      "Удалите ненужные документы или отмените импорты, которые ждут, и повторите загрузку",
  );
}

/**
 * Reserves space for a zip of all data (operations/records/export), in the transaction that writes `bytes` to its row. Zips have a separate
 * quota, as large as the organisation's, so that a full organisation can still export everything.
 * @throws Problem 413, 507
 */
export async function claimExportStorage(
  tx: Tx,
  { files, config }: Pick<StorageDeps, "files" | "config">,
  { organizationId }: Tenant,
  { exportId, bytes }: { exportId: string; bytes: number },
): Promise<void> {
  await files.leaveFree(0);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 3))`);
  const [others] = await tx
    .select({ bytes: total(sql`${dataExports.bytes}`) })
    .from(dataExports)
    .where(and(eq(dataExports.orgId, organizationId), ne(dataExports.id, exportId)));
  if (others!.bytes + bytes <= config.organizationBytes) return;
  throw tooLarge("storage_full", "Готовые выгрузки организации занимают слишком много места");
}

export async function organizationStorage(
  db: Database,
  { disk, config }: Pick<StorageDeps, "disk" | "config">,
  tenant: Tenant,
): Promise<OrganizationStorage> {
  const kept = await asTenant(db, tenant, (tx) => keptBy(tx, tenant.organizationId));
  return {
    ...kept,
    usedBytes: sumOf(kept),
    limitBytes: config.organizationBytes,
    disk: wordFor(await disk.look()),
  };
}

export async function platformDisk(
  db: Database,
  { disk, config }: Pick<StorageDeps, "disk" | "config">,
): Promise<PlatformDisk> {
  const uploads = await asPlatform(db, async (tx) => {
    const [coming] = await tx.select({ bytes: total(sql`${exportUploads.bytes}`) }).from(exportUploads);
    const [waiting] = await tx
      .select({ bytes: total(sql`${imports.bytes}`) })
      .from(imports)
      .where(isNotNull(imports.storedName));
    const [leaving] = await tx.select({ bytes: total(sql`${dataExports.bytes}`) }).from(dataExports);
    const [media] = await tx
      .select({ bytes: total(sql`${mediaFiles.bytes}`) })
      .from(mediaFiles)
      .where(isNotNull(mediaFiles.storedName));
    return coming!.bytes + waiting!.bytes + leaving!.bytes + media!.bytes;
  });
  const state = await disk.look();
  return { ...state, disk: wordFor(state), uploadsBytes: uploads, organizationBytes: config.organizationBytes };
}

const wordFor = (state: DiskState): PlatformDisk["disk"] =>
  state.freeBytes < state.floorBytes ? "full" : isDiskSpaceLow(state) ? "low" : "enough";
