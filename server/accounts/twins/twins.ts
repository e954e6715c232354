import { and, desc, eq, getTableColumns, isNotNull } from "drizzle-orm";
import type * as z from "zod/mini";
import { innerQuotes } from "#contract/inner-quotes.ts";
import type { Twin, TwinInput, TwinUpdate } from "#contract/twins.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { canChange } from "#server/accounts/organizations/access.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { documents, messages } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Log } from "#server/platform/log.ts";
import { announceTwinDeleted } from "./deleted-twins.ts";
import { forgetAnswersAbout } from "./idempotent-answers.ts";
import { drainThenDelete } from "./in-flight-sends.ts";
import { recordActivity } from "./usage.ts";
import { keepFirstVersion, keepVersion } from "./versions.ts";

export type TwinRow = typeof twins.$inferSelect;

export const twinNotFound = () => notFound("Агент не найден", "twin_not_found");

/** Returns the twin with this id in the tenant's organisation. @throws Problem 404 */
export async function getTwinRow(tx: Tx, tenant: Tenant, id: string): Promise<TwinRow> {
  const [row] = await tx
    .select()
    .from(twins)
    .where(and(eq(twins.id, id), eq(twins.orgId, tenant.organizationId)));
  if (row === undefined) throw twinNotFound();
  return row;
}

type Acting = Pick<Caller, "userId" | "organizationId" | "role">;

/**
 * `getTwinRow` for a caller who is going to change the twin or its knowledge. The row stays locked until the transaction ends, which
 * serialises the changes of one twin.
 * @throws Problem 404; 403 for a member who may only read the twin
 */
export async function getChangeableTwin(tx: Tx, caller: Acting, id: string): Promise<TwinRow> {
  const [row] = await tx
    .select()
    .from(twins)
    .where(and(eq(twins.id, id), eq(twins.orgId, caller.organizationId)))
    .for("no key update");
  if (row === undefined) throw twinNotFound();
  canChange(caller, row);
  return row;
}

/**
 * `getTwinRow` for calls that show the owner's private messages: only the owner finds the twin, colleagues of any role get 404. The row is
 * locked for a caller who is going to change it.
 * @throws Problem 404
 */
export async function getOwnTwin(
  tx: Tx,
  caller: Pick<Caller, "organizationId" | "userId">,
  id: string,
  { lock = false } = {},
): Promise<TwinRow> {
  const query = tx
    .select()
    .from(twins)
    .where(and(eq(twins.id, id), eq(twins.orgId, caller.organizationId), eq(twins.ownerId, caller.userId)));
  const [row] = lock ? await query.for("no key update") : await query;
  if (row === undefined) throw twinNotFound();
  return row;
}

const { styleProfile: _profile, ...listColumns } = getTableColumns(twins);

/** Lists the newest first. */
export async function listTwins(db: Database, caller: Tenant): Promise<Twin[]> {
  const rows = await asTenant(db, caller, (tx) =>
    tx
      .select(listColumns)
      .from(twins)
      .where(eq(twins.orgId, caller.organizationId))
      .orderBy(desc(twins.createdAt), desc(twins.id)),
  );
  return rows.map(toTwin);
}

export async function getTwin(db: Database, caller: Tenant, id: string): Promise<Twin> {
  return toTwin(await asTenant(db, caller, (tx) => getTwinRow(tx, caller, id)));
}

/** A new twin has the status `training`, whatever the client sends; its first training makes it ready once it has knowledge. */
export async function createTwin(db: Database, caller: Tenant, input: z.output<typeof TwinInput>): Promise<Twin> {
  const { name, description, personality, communicationStyle, knowledgeArea, publicName, purpose } = input;
  return asTenant(db, caller, async (tx) => {
    const [row] = await tx
      .insert(twins)
      .values({
        orgId: caller.organizationId,
        ownerId: caller.userId,
        name,
        description,
        personality,
        communicationStyle,
        expertise: [knowledgeArea],
        publicName: publicName || null,
        purpose,
      })
      .returning();
    await auditInTenant(tx, {
      action: "twin-created",
      userId: caller.userId,
      organizationId: caller.organizationId,
      subject: row!.id,
    });
    await recordActivity(tx, caller, row!, "twin_created", `Создан двойник «${innerQuotes(name)}»`);
    return toTwin(row!);
  });
}

/** Changes only the fields that are present. */
export async function updateTwin(
  db: Database,
  caller: Caller,
  id: string,
  update: z.output<typeof TwinUpdate>,
): Promise<Twin> {
  const { name, description, personality, communicationStyle, purpose, isActive } = update;
  // Absent: the name stays; empty: contacts see the twin's own name.
  const publicName = update.publicName === undefined ? undefined : update.publicName || null;
  return asTenant(db, caller, async (tx) => {
    const before = await getChangeableTwin(tx, caller, id);
    const expertise = update.expertise && expertiseAfter(update.expertise, before.expertise);
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
        purpose,
        isActive,
        updatedAt: new Date(),
      })
      .where(eq(twins.id, id))
      .returning();
    await keepVersion(tx, row!, "settings", caller.userId);
    return toTwin(row!);
  });
}

/**
 * The web form edits only the first area of knowledge and sends that one or none; the others stay. A client that sends several replaces
 * all.
 */
function expertiseAfter(sent: readonly string[], before: readonly string[]): string[] {
  if (sent.length > 1) return [...sent];
  return [...sent, ...before.slice(1).filter((area) => area !== sent[0])];
}

/**
 * Deletes the twin with its rows (by cascade), the stored responses that mention it, and the files of its imports and contacts' media. A
 * queued job of the twin finds no row and ends. Messages in flight are sent or stopped before this call returns.
 */
export async function removeTwin(
  { db, files: store, log }: { db: Database; files: FileStore; log: Log },
  caller: Acting,
  id: string,
): Promise<void> {
  const claim = async (tx: Tx) => ({ twinId: (await getChangeableTwin(tx, caller, id)).id });
  const files = await drainThenDelete(db, caller, claim, (tx) => removeTwinRows(tx, caller, id));
  announceTwinDeleted(id);
  // After the commit, because a deletion that is rolled back keeps its files.
  await removeFiles({ files: store, log }, files);
}

/**
 * Call it in a transaction during which nothing of the twin is sent. Announce the deletion after the commit. @returns stored names of its
 * files, which the caller removes after the commit
 */
export async function removeTwinRows(tx: Tx, caller: Tenant, id: string): Promise<string[]> {
  const uploaded = await tx
    .select({ storedName: imports.storedName })
    .from(imports)
    .where(and(eq(imports.twinId, id), isNotNull(imports.storedName)))
    .union(tx.select({ storedName: exportUploads.storedName }).from(exportUploads).where(eq(exportUploads.twinId, id)));
  const originals = await tx
    .select({ storedName: mediaFiles.storedName })
    .from(mediaFiles)
    .innerJoin(conversationMessages, eq(conversationMessages.id, mediaFiles.messageId))
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .where(and(eq(conversations.twinId, id), isNotNull(mediaFiles.storedName)))
    .union(
      tx
        .select({ storedName: mediaFiles.storedName })
        .from(mediaFiles)
        .innerJoin(documents, eq(documents.id, mediaFiles.documentId))
        .where(and(eq(documents.twinId, id), isNotNull(mediaFiles.storedName))),
    )
    .union(
      tx
        .select({ storedName: mediaFiles.storedName })
        .from(mediaFiles)
        .innerJoin(messages, eq(messages.id, mediaFiles.importedMessageId))
        .where(and(eq(messages.twinId, id), isNotNull(mediaFiles.storedName))),
    );
  const ownConversations = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.twinId, id));
  await forgetAnswersAbout(tx, [id, ...ownConversations.map((conversation) => conversation.id)]);
  await tx.delete(twins).where(eq(twins.id, id));
  await auditInTenant(tx, {
    action: "twin-deleted",
    userId: caller.userId,
    organizationId: caller.organizationId,
    subject: id,
  });
  // A trigger marks data exports that contain the twin as failed: their files are removed too.
  const outdated = await tx
    .select({ storedName: dataExports.storedName })
    .from(dataExports)
    .where(and(eq(dataExports.reason, "outdated"), isNotNull(dataExports.storedName)));
  return [...uploaded, ...originals, ...outdated].map((row) => row.storedName!);
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
    purpose: row.purpose,
    status: row.status,
    isActive: row.isActive,
    styleAccuracy: row.styleAccuracy,
    ownerId: row.ownerId,
    lastTrainedAt: row.lastTrainedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
