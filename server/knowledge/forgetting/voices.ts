import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";

/**
 * Permanently switches off the voices that may have been trained on exchanges about to be deleted, because nothing can be removed from
 * their weights (docs/decisions/029-reply-candidates-and-voice-adapters.md). Unfinished uploads are dropped; a sweep removes their files.
 * Call it in the transaction of the deletion, before it.
 * @param going condition on `reply_examples`: which are deleted
 */
export async function disableVoices(tx: Tx, twinId: string, going: SQL | undefined): Promise<void> {
  const learnt = and(
    eq(voiceAdapters.twinId, twinId),
    sql`${voiceAdapters.createdAt} > (select min(${replyExamples.repliedAt}) from ${replyExamples} where ${and(eq(replyExamples.twinId, twinId), going)})`,
  );
  await tx.delete(voiceAdapters).where(and(learnt, isNull(voiceAdapters.version)));
  await tx
    .update(voiceAdapters)
    .set({ active: false, forgottenAt: sql`coalesce(${voiceAdapters.forgottenAt}, now())`, updatedAt: sql`now()` })
    .where(and(learnt, isNotNull(voiceAdapters.version)));
}
