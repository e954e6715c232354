/** Finds the gap to which a question belongs, by the comparison that decides whether a correction answers it. */

import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import type { QuestionForm } from "#server/knowledge/question-similarity/question-form.ts";
import { likelihoodByEmbedding, matchQuestion } from "#server/knowledge/question-similarity/question-match.ts";

export interface Wording {
  form: QuestionForm;
  /** The embedding by the current model; null: only words are compared. */
  codes: Buffer | null;
}

export interface KnownGap {
  id: string;
  wordings: Wording[];
}

/** Returns the gap whose wordings ask the same, the most similar first, then the oldest. @param gaps oldest first */
export function nearestGap<G extends KnownGap>(
  asked: QuestionForm,
  embedding: QueryEmbedding | null,
  gaps: readonly G[],
): G | null {
  let best: { gap: G; like: number } | null = null;
  for (const gap of gaps) {
    const meant = gap.wordings.map(({ codes }) => likelihood(embedding, codes));
    const { same, like } = matchQuestion(
      asked,
      gap.wordings.map(({ form }) => form),
      meant,
    );
    if (same && like > (best?.like ?? 0)) best = { gap, like };
  }
  return best?.gap ?? null;
}

function likelihood(embedding: QueryEmbedding | null, codes: Buffer | null): number {
  if (embedding === null || codes === null || codes.length !== embedding.vector.length) return 0;
  return likelihoodByEmbedding(embedding, codes);
}
