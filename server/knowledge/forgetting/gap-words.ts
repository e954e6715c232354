/** Removes a forgotten contact's words from the owner's answers to gaps (server/inbox/gaps). */
import { createHash } from "node:crypto";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";

/** Subject key of facts that answer a gap: a new answer replaces the previous one. */
export const gapSubject = ({ id }: Pick<typeof gaps.$inferSelect, "id">): Buffer =>
  createHash("sha256").update(`gap ${id}`).digest();

/**
 * The owner's answer stays if others have asked too, under one of their questions or his own. Otherwise it is deleted with its only
 * question, unless the owner wrote that himself. Call it before the contact's conversations are deleted. A correction is replaced rather
 * than changed, because processes cache its embeddings by id.
 */
export async function forgetGapWords(tx: Tx, contactId: number): Promise<void> {
  const own = await tx
    .select({ gap: gaps, question: gapQuestions.question, said: gapQuestions.said })
    .from(gapQuestions)
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .innerJoin(gaps, eq(gaps.id, gapQuestions.gapId))
    .where(and(eq(conversations.contactId, contactId), isNotNull(gapQuestions.question)));
  for (const rows of Map.groupBy(own, ({ gap }) => gap.id).values()) {
    const { gap } = rows[0]!;
    const others = await wordingsOfOthers(tx, gap.id, contactId);
    const gone = new Set(rows.flatMap(({ question, said }) => [question!, said]).filter((words) => !others.has(words)));
    await forgetInAnswers(tx, gap, contactId, gone, [...others][0]);
  }
  await dropEmptied(tx, contactId);
}

/**
 * Removes the words from the published answer or from those of all askers, former ones included.
 * @param gone the contact's words
 * @param other another person's question
 */
async function forgetInAnswers(
  tx: Tx,
  gap: typeof gaps.$inferSelect,
  contactId: number,
  gone: ReadonlySet<string>,
  other: string | undefined,
): Promise<void> {
  const about = and(eq(corrections.twinId, gap.twinId), eq(corrections.factSubject, gapSubject(gap)));
  const found = await tx.select().from(corrections).where(about).orderBy(corrections.place);
  let answer = gap.correctionId;
  for (const correction of found) {
    const rewordings = correction.rewordings.filter((wording) => !gone.has(wording));
    const question = gone.has(correction.question) ? other : correction.question;
    const own = correction.contactId === contactId;
    if (!own && question === correction.question && rewordings.length === correction.rewordings.length) continue;
    await tx.delete(corrections).where(eq(corrections.id, correction.id));
    if (own || question === undefined) continue;
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
    if (correction.id === gap.correctionId) answer = made!.id;
  }
  // The gap's answer may have been the contact's own; another asker's then replaces it.
  const left = await tx
    .select({ id: corrections.id, state: corrections.state })
    .from(corrections)
    .where(about)
    .orderBy(corrections.place);
  if (!left.some(({ id }) => id === answer)) answer = left.findLast(({ state }) => state === "active")?.id ?? null;
  await tx.update(gaps).set({ correctionId: answer }).where(eq(gaps.id, gap.id));
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
