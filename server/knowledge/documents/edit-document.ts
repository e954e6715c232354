import { and, eq, ne } from "drizzle-orm";
import * as z from "zod/mini";
import { innerQuotes } from "#contract/inner-quotes.ts";
import { DocumentInput, type DocumentUpdate, type KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { claimStorage } from "#server/accounts/organizations/storage.ts";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { chunks, documents } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { conflict } from "#server/platform/errors.ts";
import { type Caller, parse } from "#server/platform/http/route.ts";
import { documentReaders } from "./document-readers.ts";
import {
  type DocumentDeps,
  documentColumns,
  documentExists,
  documentNotFound,
  hashOf,
  toDocument,
} from "./documents.ts";
import { storeChunks } from "./store-chunks.ts";

/**
 * Replaces title and text. Old chunks are replaced by new ones in one transaction, so that the twin never answers from deleted text and
 * never has a gap; a training then indexes them.
 * @throws Problem 400 for a short text; 404; 403; 409 when the version is outdated, the text is being read or the twin already has it;
 * 413; 507; 429 and 503 like DocumentReaders.split
 */
export async function updateDocument(
  { db, jobs, ...storage }: DocumentDeps,
  caller: Caller,
  id: string,
  { name, content, version }: DocumentUpdate,
): Promise<KnowledgeDocument> {
  await asTenant(db, caller, async (tx) => {
    await claimDocument(tx, caller, id, version);
    if (!(await isOriginal(tx, id))) parse(TypedContent, { content });
  });
  // Splitting takes time in another process, so no row is locked meanwhile.
  const found = await documentReaders.split(caller.organizationId, content);
  return asTenant(db, caller, async (tx) => {
    const { twin, before } = await claimDocument(tx, caller, id, version);
    const isSame = before.name === name && before.content === content;
    if (isSame && before.status === "processed") return toDocument(before);
    const more = Buffer.byteLength(content) - Buffer.byteLength(before.content);
    if (more > 0) await claimStorage(tx, storage, caller, more);
    const contentHash = hashOf(content);
    const [same] = await tx
      .select({ id: documents.id })
      .from(documents)
      .where(and(eq(documents.twinId, twin.id), eq(documents.contentHash, contentHash), ne(documents.id, id)));
    if (same !== undefined) throw documentExists();
    const [row] = await tx
      .update(documents)
      // A member who saves the text of a recording or picture has checked it.
      .set({ name, content, contentHash, splitAt: new Date(), status: "processed" })
      .where(eq(documents.id, id))
      .returning({ ...documentColumns, content: documents.content });
    await tx.delete(chunks).where(eq(chunks.documentId, id));
    await storeChunks(tx, { organizationId: caller.organizationId, twinId: twin.id, documentId: id }, found);
    await recordActivity(tx, caller, twin, "document_changed", `Изменён документ «${innerQuotes(name)}»`);
    await incrementKnowledgeVersion(tx, twin.id);
    await requestTraining(tx, jobs, caller, twin.id);
    return toDocument(row!);
  });
}

/** The minimum length applies to typed text and text files only. */
const TypedContent = z.pick(DocumentInput, { content: true });

async function isOriginal(tx: Tx, documentId: string): Promise<boolean> {
  const [row] = await tx.select({ id: mediaFiles.id }).from(mediaFiles).where(eq(mediaFiles.documentId, documentId));
  return row !== undefined;
}

/** Returns the document with its twin locked. @throws Problem 404, 403, 409 when it is another version */
async function claimDocument(tx: Tx, caller: Caller, id: string, version: string) {
  const mine = and(eq(documents.id, id), eq(documents.orgId, caller.organizationId));
  const [found] = await tx.select({ twinId: documents.twinId }).from(documents).where(mine);
  if (found === undefined) throw documentNotFound();
  const twin = await getChangeableTwin(tx, caller, found.twinId);
  const [before] = await tx
    .select({ ...documentColumns, content: documents.content })
    .from(documents)
    .where(mine);
  if (before === undefined) throw documentNotFound();
  if (before.version !== version) {
    throw conflict("document_changed", "Документ уже изменили в другом окне. Ваш текст остался в форме");
  }
  if (before.status === "processing")
    throw conflict("document_reading", "Файл ещё читается: текст можно изменить, когда он будет готов");
  return { twin, before };
}
