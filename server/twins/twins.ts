import { and, desc, eq, getTableColumns, isNotNull } from "drizzle-orm";
import type * as z from "zod/mini";
import type { Twin, TwinInput, TwinUpdate } from "#contract/twins.ts";
import { auditInTenant } from "#server/auth/audit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { conversations, dataExports, exportUploads, imports, twins } from "#server/db/schema.ts";
import { notFound } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import type { Log } from "#server/log.ts";
import { canChange } from "#server/organizations/access.ts";
import { removeFiles } from "#server/stored-files.ts";
import { forgetAnswersAbout } from "./kept-answers.ts";
import { deleteOnceSent } from "./sends.ts";
import { recordActivity } from "./usage.ts";
import { keepFirstVersion, keepVersion } from "./versions.ts";

export type TwinRow = typeof twins.$inferSelect;

export const twinNotFound = () => notFound("Агент не найден", "twin_not_found");

/** The twin with this id in the tenant's organisation. @throws Problem 404 */
export async function getTwinRow(tx: Tx, tenant: Tenant, id: string): Promise<TwinRow> {
  const [row] = await tx
    .select()
    .from(twins)
    .where(and(eq(twins.id, id), eq(twins.orgId, tenant.organizationId)));
  if (row === undefined) throw twinNotFound();
  return row;
}

/** Whose rights to a twin are looked at. */
export type Acting = Pick<Viewer, "userId" | "organizationId" | "role">;

/**
 * The same for a caller who is about to change the twin or what it knows. The row stays locked until the transaction ends, so
 * changes of one twin take turns.
 * @throws Problem 404; 403 for a member who may only read it
 */
export async function getChangeableTwin(tx: Tx, viewer: Acting, id: string): Promise<TwinRow> {
  const [row] = await tx
    .select()
    .from(twins)
    .where(and(eq(twins.id, id), eq(twins.orgId, viewer.organizationId)))
    .for("no key update");
  if (row === undefined) throw twinNotFound();
  canChange(viewer, row);
  return row;
}

/**
 * The twin for what shows its owner's letters: for a colleague, whatever their role, there is none. Locked for a caller who is about
 * to change it.
 * @throws Problem 404
 */
export async function getOwnTwin(
  tx: Tx,
  viewer: Pick<Viewer, "organizationId" | "userId">,
  id: string,
  { lock = false } = {},
): Promise<TwinRow> {
  const query = tx
    .select()
    .from(twins)
    .where(and(eq(twins.id, id), eq(twins.orgId, viewer.organizationId), eq(twins.ownerId, viewer.userId)));
  const [row] = lock ? await query.for("no key update") : await query;
  if (row === undefined) throw twinNotFound();
  return row;
}

const { styleProfile: _profile, ...listColumns } = getTableColumns(twins);

/** Newest first. */
export async function listTwins(db: Database, viewer: Tenant): Promise<Twin[]> {
  const rows = await asTenant(db, viewer, (tx) =>
    tx
      .select(listColumns)
      .from(twins)
      .where(eq(twins.orgId, viewer.organizationId))
      .orderBy(desc(twins.createdAt), desc(twins.id)),
  );
  return rows.map(toTwin);
}

export async function getTwin(db: Database, viewer: Tenant, id: string): Promise<Twin> {
  return toTwin(await asTenant(db, viewer, (tx) => getTwinRow(tx, viewer, id)));
}

/** A new twin is `training` whatever the client says: it becomes ready by its first training job, once it knows something. */
export async function createTwin(db: Database, viewer: Tenant, input: z.output<typeof TwinInput>): Promise<Twin> {
  const { name, description, personality, communicationStyle, knowledgeArea, publicName } = input;
  return asTenant(db, viewer, async (tx) => {
    const [row] = await tx
      .insert(twins)
      .values({
        orgId: viewer.organizationId,
        ownerId: viewer.userId,
        name,
        description,
        personality,
        communicationStyle,
        expertise: [knowledgeArea],
        publicName: publicName || null,
      })
      .returning();
    await auditInTenant(tx, {
      action: "twin-created",
      userId: viewer.userId,
      organizationId: viewer.organizationId,
      subject: row!.id,
    });
    await recordActivity(tx, viewer, row!, "twin_created", `Создан двойник «${name}»`);
    return toTwin(row!);
  });
}

/** Fields that the update does not carry stay as they are. */
export async function updateTwin(
  db: Database,
  viewer: Viewer,
  id: string,
  update: z.output<typeof TwinUpdate>,
): Promise<Twin> {
  const { name, description, personality, communicationStyle, expertise, isActive } = update;
  // Absent: it stays; emptied: the twin is called by its name.
  const publicName = update.publicName === undefined ? undefined : update.publicName || null;
  return asTenant(db, viewer, async (tx) => {
    const before = await getChangeableTwin(tx, viewer, id);
    await keepFirstVersion(tx, before);
    const [row] = await tx
      .update(twins)
      .set({
        name,
        publicName,
        description,
        personality,
        communicationStyle,
        expertise,
        isActive,
        updatedAt: new Date(),
      })
      .where(eq(twins.id, id))
      .returning();
    await keepVersion(tx, row!, "settings", viewer.userId);
    return toTwin(row!);
  });
}

/**
 * Deletes the twin with everything that belongs to it: rows by cascade, stored answers that speak of it, then the files of its
 * imports in `uploads`. A job that is queued for it finds nothing and ends. What is on its way to somebody has arrived or been
 * ended before this is answered.
 */
export async function removeTwin(
  { db, config, log }: { db: Database; config: { dataDir: string }; log: Log },
  viewer: Acting,
  id: string,
): Promise<void> {
  const claim = async (tx: Tx) => ({ twinId: (await getChangeableTwin(tx, viewer, id)).id });
  const files = await deleteOnceSent(db, viewer, claim, (tx) => removeTwinRows(tx, viewer, id));
  // After the commit: a rolled back deletion keeps its files.
  await removeFiles({ config, log }, files);
}

/** In a transaction in which nothing of it is being sent. @returns stored names of its files, to be removed after the commit */
export async function removeTwinRows(tx: Tx, viewer: Tenant, id: string): Promise<string[]> {
  const uploaded = await tx
    .select({ storedName: imports.storedName })
    .from(imports)
    .where(and(eq(imports.twinId, id), isNotNull(imports.storedName)))
    .union(tx.select({ storedName: exportUploads.storedName }).from(exportUploads).where(eq(exportUploads.twinId, id)));
  const talks = await tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.twinId, id));
  await forgetAnswersAbout(tx, [id, ...talks.map((talk) => talk.id)]);
  await tx.delete(twins).where(eq(twins.id, id));
  await auditInTenant(tx, {
    action: "twin-deleted",
    userId: viewer.userId,
    organizationId: viewer.organizationId,
    subject: id,
  });
  // A trigger has failed the exports that held it: their files go as well.
  const outdated = await tx
    .select({ storedName: dataExports.storedName })
    .from(dataExports)
    .where(and(eq(dataExports.reason, "outdated"), isNotNull(dataExports.storedName)));
  return [...uploaded, ...outdated].map((row) => row.storedName!);
}

function toTwin(row: Omit<TwinRow, "styleProfile">): Twin {
  return {
    id: row.id,
    name: row.name,
    publicName: row.publicName,
    description: row.description,
    personality: row.personality,
    communicationStyle: row.communicationStyle,
    expertise: row.expertise,
    status: row.status,
    isActive: row.isActive,
    styleAccuracy: row.styleAccuracy,
    ownerId: row.ownerId,
    lastTrainedAt: row.lastTrainedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
