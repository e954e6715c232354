/** Reads a document's recording or picture once more, because the first text is missing or unsure. */
import { and, eq } from "drizzle-orm";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { readKinds } from "#server/models/media/reader-rows.ts";
import { shownMedia } from "#server/models/media/shown-media.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { documentColumns, documentNotFound, toDocument } from "./documents.ts";
import { readingDisabled } from "./originals/add-original.ts";

/**
 * The earlier text stays until a better one exists (read-original.ts).
 * @throws Problem 404, 403; 409 while it is being read, or when a member has checked its text, it has no original, or no reader handles
 * such files
 */
export function readOriginalAgain(
  { db, jobs }: { db: Database; jobs: Jobs },
  caller: Caller,
  id: string,
): Promise<KnowledgeDocument> {
  const { organizationId, userId } = caller;
  return asTenant(db, caller, async (tx) => {
    const mine = and(eq(documents.id, id), eq(documents.orgId, organizationId));
    const [found] = await tx.select({ twinId: documents.twinId }).from(documents).where(mine);
    if (found === undefined) throw documentNotFound();
    // Every transaction that changes a twin's knowledge locks the twin first; another order could deadlock.
    await getChangeableTwin(tx, caller, found.twinId);
    const [document] = await tx.select({ status: documents.status }).from(documents).where(mine);
    if (document === undefined) throw documentNotFound();
    const { status } = document;
    if (status === "processing") throw conflict("document_reading", "Файл уже читается");
    const [original] = await tx.select().from(mediaFiles).where(eq(mediaFiles.documentId, id));
    if (original === undefined || original.storedAt === null)
      throw conflict("document_without_original", "У этого документа нет картинки или записи");
    if (status === "processed")
      throw conflict("document_changed", "Текст этого документа уже проверен: изменить его можно в самом документе");
    if (!(await readKinds(tx, organizationId)).has(original.kind)) throw readingDisabled(original.kind);
    const [waiting] = await tx
      .update(mediaFiles)
      .set({ state: "waiting", attempts: 0, note: null })
      .where(eq(mediaFiles.id, original.id))
      .returning();
    const [row] = await tx
      .update(documents)
      .set({ status: "processing" })
      .where(mine)
      .returning({ ...documentColumns, content: documents.content });
    await jobs.enqueue(tx, "read-original", { organizationId, userId, mediaId: original.id });
    return { ...toDocument(row!), original: shownMedia(waiting!) };
  });
}
