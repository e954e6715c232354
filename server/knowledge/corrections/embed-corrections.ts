/** Embeds corrected questions, so that a paraphrase gets the same answer. */
import { and, desc, eq, ne, sql } from "drizzle-orm";
import { encodeVector } from "#server/knowledge/embeddings/codes.ts";
import { LONGEST_TEXT } from "#server/knowledge/embeddings/embedder.ts";
import { type Learning, tokensOf } from "#server/knowledge/embeddings/learning.ts";
import { standaloneQuestion } from "#server/knowledge/language/question/contextual-query.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";

const BATCH = 16;

interface UnembeddedCorrection {
  id: string;
  /** The texts to embed: first the question alone, then each other wording. */
  texts: string[];
}

async function readWaitingCorrections(tx: Tx, twinId: string, model: string): Promise<UnembeddedCorrection[]> {
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
        sql`${corrections.embeddingModel} is distinct from ${model}`,
      ),
    )
    .orderBy(desc(corrections.place))
    .limit(BATCH);
  return rows.map(({ id, question, context, rewordings }) => ({
    id,
    texts: [standaloneQuestion(context, question), ...rewordings].map((text) => text.slice(0, LONGEST_TEXT)),
  }));
}

/** @param vectors of all the corrections' texts, in order */
async function storeCorrectionEmbeddings(
  tx: Tx,
  model: string,
  waiting: readonly UnembeddedCorrection[],
  vectors: readonly (readonly number[])[],
): Promise<void> {
  let from = 0;
  for (const { id, texts } of waiting) {
    const own = vectors.slice(from, from + texts.length);
    from += texts.length;
    await tx
      .update(corrections)
      .set({ embeddingModel: model, embeddingCodes: Buffer.concat(own.map((vector) => encodeVector(vector).codes)) })
      .where(eq(corrections.id, id));
  }
}

/** Embeds all waiting corrections at once: they are few, and the owner waits. @returns false when the day's tokens are spent */
export async function embedCorrections(learning: Learning): Promise<boolean> {
  const { model } = learning;
  for (;;) {
    const waiting = await learning.within((tx) => readWaitingCorrections(tx, learning.twinId, model));
    if (waiting.length === 0) return true;
    const texts = waiting.flatMap(({ texts }) => texts);
    if ((await learning.affordable(texts)) < texts.length) return false;
    const { vectors, tokens = tokensOf(texts) } = await learning.embed(texts, "query");
    await learning.within(async (tx) => {
      await storeCorrectionEmbeddings(tx, model, waiting, vectors);
      await learning.count(tx, tokens);
    });
  }
}
