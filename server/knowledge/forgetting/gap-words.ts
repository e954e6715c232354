/** The words of a forgotten contact in what the owner has taught by answering a gap (server/gaps). */
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { conversations, corrections, gapQuestions, gaps } from "#server/db/schema.ts";

/**
 * The owner's answer stays where others have asked too, under a question of theirs or of his own; otherwise it goes with the only
 * question that it answers, unless he has put that himself. Called while the contact's conversations are still there. A correction is
 * replaced, not changed: processes remember the vectors of each by its id.
 */
export async function forgetGapWords(tx: Tx, contactId: number): Promise<void> {
  const own = await tx
    .select({ gapId: gaps.id, correction: corrections, question: gapQuestions.question, said: gapQuestions.said })
    .from(gapQuestions)
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .innerJoin(gaps, eq(gaps.id, gapQuestions.gapId))
    .innerJoin(corrections, eq(corrections.id, gaps.correctionId))
    .where(and(eq(conversations.contactId, contactId), isNotNull(gapQuestions.question)));
  for (const [gapId, rows] of Map.groupBy(own, (row) => row.gapId)) {
    const { correction } = rows[0]!;
    const others = await wordingsOfOthers(tx, gapId, contactId);
    const gone = new Set(rows.flatMap(({ question, said }) => [question!, said]).filter((words) => !others.has(words)));
    const rewordings = correction.rewordings.filter((wording) => !gone.has(wording));
    const question = gone.has(correction.question) ? [...others][0] : correction.question;
    if (question === correction.question && rewordings.length === correction.rewordings.length) continue;
    await tx.delete(corrections).where(eq(corrections.id, correction.id));
    if (question === undefined) continue;
    const { id: _id, place: _place, ...kept } = correction;
    const [made] = await tx
      .insert(corrections)
      .values({
        ...kept,
        question,
        rewordings: rewordings.filter((wording) => wording !== question),
        embeddingCodes: null,
        embeddingModel: null,
      })
      .returning({ id: corrections.id });
    await tx.update(gaps).set({ correctionId: made!.id }).where(eq(gaps.id, gapId));
  }
  await dropEmptied(tx, contactId);
}

async function wordingsOfOthers(tx: Tx, gapId: string, contactId: number): Promise<Set<string>> {
  const rows = await tx
    .select({ question: gapQuestions.question, contactId: conversations.contactId })
    .from(gapQuestions)
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .where(and(eq(gapQuestions.gapId, gapId), isNotNull(gapQuestions.question)))
    .orderBy(gapQuestions.id);
  return new Set(rows.filter((row) => row.contactId !== contactId).map(({ question }) => question!));
}

/** Gaps that this contact alone has asked about. */
async function dropEmptied(tx: Tx, contactId: number): Promise<void> {
  const asked = await tx
    .selectDistinct({ id: gapQuestions.gapId })
    .from(gapQuestions)
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .where(and(eq(conversations.contactId, contactId), isNotNull(gapQuestions.gapId)));
  const alone: string[] = [];
  for (const { id } of asked) if ((await wordingsOfOthers(tx, id!, contactId)).size === 0) alone.push(id!);
  if (alone.length > 0) await tx.delete(gaps).where(inArray(gaps.id, alone));
}
