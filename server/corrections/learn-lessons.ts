/** Vectors of what was corrected: a rewording of a corrected question is answered as the question is. */
import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { corrections } from "#server/db/schema.ts";
import { standaloneQuestion } from "#server/language/contextual-query.ts";
import { encodeVector } from "#server/search/meaning/codes.ts";
import { LONGEST_TEXT } from "#server/search/meaning/embedder.ts";
import { type Learning, tokensOf } from "#server/search/meaning/learning.ts";

/** Corrections of one request; each has few wordings. */
const BATCH = 16;

interface WaitingLesson {
  id: string;
  /** What is embedded: the question as it stands alone, then each rewording. */
  texts: string[];
}

/** Corrections in force without a vector of this model, the newest first. */
async function readWaitingLessons(tx: Tx, twinId: string, model: string): Promise<WaitingLesson[]> {
  const rows = await tx
    .select({
      id: corrections.id,
      question: corrections.question,
      context: corrections.context,
      rewordings: corrections.rewordings,
    })
    .from(corrections)
    .where(
      and(
        eq(corrections.twinId, twinId),
        eq(corrections.state, "active"),
        ne(corrections.kind, "style"),
        sql`${corrections.meaningModel} is distinct from ${model}`,
      ),
    )
    .orderBy(desc(corrections.place))
    .limit(BATCH);
  return rows.map(({ id, question, context, rewordings }) => ({
    id,
    texts: [standaloneQuestion(context, question), ...rewordings].map((text) => text.slice(0, LONGEST_TEXT)),
  }));
}

/** @param vectors of the texts of all lessons, in their order */
async function storeLessonMeanings(
  tx: Tx,
  model: string,
  lessons: readonly WaitingLesson[],
  vectors: readonly (readonly number[])[],
): Promise<void> {
  let from = 0;
  for (const { id, texts } of lessons) {
    const own = vectors.slice(from, from + texts.length);
    from += texts.length;
    await tx
      .update(corrections)
      .set({ meaningModel: model, meaningCodes: Buffer.concat(own.map((vector) => encodeVector(vector).codes)) })
      .where(eq(corrections.id, id));
  }
}

/** What was corrected, all of it: it is little, and the owner waits for it. @returns false when the day's tokens are spent */
export async function learnLessons(learning: Learning): Promise<boolean> {
  const { model } = learning;
  for (;;) {
    const lessons = await learning.within((tx) => readWaitingLessons(tx, learning.twinId, model));
    if (lessons.length === 0) return true;
    const texts = lessons.flatMap((lesson) => lesson.texts);
    if ((await learning.affordable(texts)) < texts.length) return false;
    const { vectors, tokens = tokensOf(texts) } = await learning.embed(texts, "query");
    await learning.within(async (tx) => {
      await storeLessonMeanings(tx, model, lessons, vectors);
      await learning.count(tx, tokens);
    });
  }
}
