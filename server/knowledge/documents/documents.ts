import { createHash } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import { innerQuotes } from "#contract/inner-quotes.ts";
import type { DocumentInput, KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { claimStorage, type StorageDeps } from "#server/accounts/organizations/storage.ts";
import { forgetAnswersAbout } from "#server/accounts/twins/idempotent-answers.ts";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { type RemainsDeps, removeMediaRemains } from "#server/models/media/remains.ts";
import { shownMedia } from "#server/models/media/shown-media.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { documents, websitePages } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

export type DocumentDeps = { db: Database; jobs: Jobs } & StorageDeps;

const PREVIEW_CHARS = 300;

export const documentNotFound = () => notFound("Документ не найден", "document_not_found");

export const documentColumns = {
  id: documents.id,
  name: documents.name,
  type: documents.type,
  status: documents.status,
  digitalTwinId: documents.twinId,
  tags: documents.tags,
  length: sql<number>`length(${documents.content})`,
  createdAt: documents.createdAt,
  mime: documents.mime,
  version: sql<string>`md5(${documents.contentHash} || ${documents.name})`,
};

/** Newest first, each with the beginning of its text. */
export async function listDocuments(db: Database, caller: Tenant): Promise<KnowledgeDocument[]> {
  const rows = await asTenant(db, caller, (tx) =>
    tx
      .select({
        ...documentColumns,
        content: sql<string>`left(${documents.content}, ${PREVIEW_CHARS})`,
        sourceUrl: websitePages.url,
      })
      .from(documents)
      .leftJoin(websitePages, eq(websitePages.documentId, documents.id))
      .where(eq(documents.orgId, caller.organizationId))
      .orderBy(desc(documents.createdAt), desc(documents.id)),
  );
  return rows.map(toDocument);
}

/** Returns the whole text. @throws Problem 404 */
export async function getDocument(db: Database, caller: Tenant, id: string): Promise<KnowledgeDocument> {
  const [row] = await asTenant(db, caller, (tx) =>
    tx
      .select({ ...documentColumns, content: documents.content, sourceUrl: websitePages.url })
      .from(documents)
      .leftJoin(websitePages, eq(websitePages.documentId, documents.id))
      .where(and(eq(documents.id, id), eq(documents.orgId, caller.organizationId))),
  );
  if (row === undefined) throw documentNotFound();
  const [original] = await asTenant(db, caller, (tx) =>
    tx.select().from(mediaFiles).where(eq(mediaFiles.documentId, id)),
  );
  return { ...toDocument(row), original: original === undefined ? null : shownMedia(original) };
}

type NewDocument = z.output<typeof DocumentInput> & { mime?: string };

/**
 * Stores the text and enqueues a training, which splits it into chunks.
 * @throws Problem 404 (twin), 403, 413 when the organisation's space is used up, 507, 409 when the twin already has the
 * same text
 */
export function addDocument(
  { db, jobs, ...storage }: DocumentDeps,
  caller: Caller,
  document: NewDocument,
): Promise<KnowledgeDocument> {
  const { digitalTwinId, name, content, type, tags = [], mime = "text/plain" } = document;
  return asTenant(db, caller, async (tx) => {
    const twin = await getChangeableTwin(tx, caller, digitalTwinId);
    await claimStorage(tx, storage, caller, Buffer.byteLength(content));
    const [row] = await tx
      .insert(documents)
      .values({
        orgId: caller.organizationId,
        twinId: twin.id,
        name,
        type,
        content,
        tags: [...new Set(tags.filter((tag) => tag !== ""))],
        mime,
        contentHash: hashOf(content),
      })
      .onConflictDoNothing({ target: [documents.twinId, documents.contentHash] })
      .returning({ ...documentColumns, content: documents.content });
    if (row === undefined) throw documentExists();
    await recordActivity(tx, caller, twin, "document_added", `Добавлен документ «${innerQuotes(name)}»`);
    await incrementKnowledgeVersion(tx, twin.id);
    await requestTraining(tx, jobs, caller, twin.id);
    return toDocument(row);
  });
}

export const hashOf = (content: string): string => createHash("sha256").update(content).digest("hex");
export const documentExists = () => conflict("document_exists", "Этот документ уже загружен");

/** Deletes the document with its chunks and original by cascade. @throws Problem 404, 403 */
export async function removeDocument(
  { jobs, ...deps }: RemainsDeps & { jobs: Jobs },
  caller: Caller,
  id: string,
): Promise<void> {
  await asTenant(deps.db, caller, async (tx) => {
    const [row] = await tx
      .select({ twinId: documents.twinId })
      .from(documents)
      .where(and(eq(documents.id, id), eq(documents.orgId, caller.organizationId)));
    if (row === undefined) throw documentNotFound();
    await getChangeableTwin(tx, caller, row.twinId);
    await forgetAnswersAbout(tx, [id]);
    await tx.delete(documents).where(eq(documents.id, id));
    const { userId, organizationId } = caller;
    const detail = { twinId: row.twinId };
    await auditInTenant(tx, { action: "document-deleted", userId, organizationId, subject: id, detail });
    await incrementKnowledgeVersion(tx, row.twinId);
    await requestTraining(tx, jobs, caller, row.twinId);
  });
  await removeMediaRemains(deps);
}

export function toDocument(row: Omit<KnowledgeDocument, "createdAt"> & { createdAt: Date }): KnowledgeDocument {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
