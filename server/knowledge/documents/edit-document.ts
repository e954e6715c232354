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
import {
  type DocumentDeps,
  documentColumns,
  documentExists,
  documentNotFound,
  hashOf,
  toDocument,
} from "./documents.ts";
import { documentReaders } from "./reading/document-readers.ts";
import { storeChunks } from "./store-chunks.ts";

/**
 * Replaces title and text. The chunks of the former text go and those of the new one come in one transaction, so that the twin never
 * answers from what is gone and never has a gap; a training then indexes them like those of an upload.
 * @throws Problem 400 for a text that is too short, 404, 403, 409 when it has changed since `version`, it is being read or the twin has the
 * same text already, 413, 507; 429 and 503 as DocumentReaders.split
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
  // Splitting takes its time in another process: no row is locked meanwhile.
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

/** What was typed, or read from a file of text, has its least length. */
const TypedContent = z.pick(DocumentInput, { content: true });

async function isOriginal(tx: Tx, documentId: string): Promise<boolean> {
  const [row] = await tx.select({ id: mediaFiles.id }).from(mediaFiles).where(eq(mediaFiles.documentId, documentId));
  return row !== undefined;
}

/** The document as it is now, with its twin locked. @throws Problem 404, 403, 409 when it is another version */
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
