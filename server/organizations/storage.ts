/**
 * How much an organisation keeps here, and whether more fits (docs/decisions/039-disk-quota.md). What is on its way counts whole from its
 * beginning: two uploads that begin at once cannot exceed the quota together.
 */
import { and, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { OrganizationStorage, PlatformDisk } from "#contract/storage.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { dataExports, documents, exportUploads, imports, indexSegments, twins } from "#server/db/schema.ts";
import { type Disk, type DiskState, isShort } from "#server/disk.ts";
import { tooLarge } from "#server/errors.ts";

export interface StorageDeps {
  disk: Disk;
  config: { organizationBytes: number };
}

type Kept = Pick<OrganizationStorage, "uploadsBytes" | "documentsBytes" | "indexesBytes">;

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
    // By twin, which is what the segments' index begins with.
    .where(sql`${indexSegments.twinId} in (select ${twins.id} from ${twins} where ${twins.orgId} = ${organizationId})`);
  return {
    uploadsBytes: coming!.bytes + waiting!.bytes,
    documentsBytes: texts!.bytes,
    indexesBytes: indexes!.bytes,
  };
}

const sumOf = ({ uploadsBytes, documentsBytes, indexesBytes }: Kept) => uploadsBytes + documentsBytes + indexesBytes;

/**
 * Asks for room in the transaction that writes the row which counts from then on; until that ends, nobody else of the organisation is let in.
 * @throws Problem 413 with what is used and what may be deleted; 507 when the server's disk has no room
 */
export async function claimStorage(
  tx: Tx,
  { disk, config }: StorageDeps,
  { organizationId }: Tenant,
  bytes: number,
): Promise<void> {
  await disk.leaveFree(bytes);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 3))`);
  const used = sumOf(await keptBy(tx, organizationId));
  const limit = config.organizationBytes;
  if (used + bytes <= limit) return;
  throw tooLarge(
    "storage_full",
    `Место организации заканчивается: занято ${sizeWords(used)} из ${sizeWords(limit)}, а нужно ещё ${sizeWords(bytes)}. ` +
      "Удалите ненужные документы или отмените импорты, которые ждут, и повторите загрузку",
  );
}

/**
 * The same for a zip of everything (records/export), in the transaction that writes `bytes` to its row. These zips have a room of their
 * own, as large as the organisation's: one that is full can still take everything away.
 * @throws Problem 413, 507
 */
export async function claimExportStorage(
  tx: Tx,
  { disk, config }: StorageDeps,
  { organizationId }: Tenant,
  { exportId, bytes }: { exportId: string; bytes: number },
): Promise<void> {
  await disk.leaveFree(0);
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
  { disk, config }: StorageDeps,
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

export async function platformDisk(db: Database, { disk, config }: StorageDeps): Promise<PlatformDisk> {
  const uploads = await asPlatform(db, async (tx) => {
    const [coming] = await tx.select({ bytes: total(sql`${exportUploads.bytes}`) }).from(exportUploads);
    const [waiting] = await tx
      .select({ bytes: total(sql`${imports.bytes}`) })
      .from(imports)
      .where(isNotNull(imports.storedName));
    const [leaving] = await tx.select({ bytes: total(sql`${dataExports.bytes}`) }).from(dataExports);
    return coming!.bytes + waiting!.bytes + leaving!.bytes;
  });
  const state = await disk.look();
  return { ...state, disk: wordFor(state), uploadsBytes: uploads, organizationBytes: config.organizationBytes };
}

const wordFor = (state: DiskState): PlatformDisk["disk"] =>
  state.freeBytes < state.floorBytes ? "full" : isShort(state) ? "low" : "enough";

const NUMBER = new Intl.NumberFormat("ru-RU", { maximumFractionDigits: 1 });
const UNITS = ["Б", "КБ", "МБ", "ГБ", "ТБ"];

/** «9,8 ГБ» */
function sizeWords(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${NUMBER.format(bytes / 1024 ** step)}\u00a0${UNITS[step]}`;
}
