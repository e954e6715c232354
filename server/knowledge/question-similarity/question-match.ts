import { similarityTo } from "#server/knowledge/embeddings/codes.ts";
import { likelihoodOf } from "#server/knowledge/embeddings/embedding-scale.ts";
import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import { hasSameSubject, mayAskTheSame, type QuestionForm, SIMILAR_QUESTION, similarity } from "./question-form.ts";

/**
 * Likelihood from which a question gets the corrected answer because it means the same. Chosen on bench:corrections
 * (multilingual-e5-small) so that a false match is rarer than a missed paraphrase (docs/decisions/022-corrections.md).
 */
export const SAME_MEANING_LIKELIHOOD = 0.92;

/**
 * Maximum confidence of a match by embedding alone: under «auto if confident» the owner reviews it first
 * (docs/decisions/024-search-index-and-embeddings.md).
 */
const MAX_EMBEDDING_CONFIDENCE = 0.65;

/** Likelihood from which two questions are related, if not the same. */
export const NEAR_QUESTION_LIKELIHOOD = 0.3;

export interface QuestionMatch {
  like: number;
  same: boolean;
}

/**
 * Decides whether a question asks the same as a corrected one.
 * @param wordings of the corrected question
 * @param threshold for `meant`; benchmarks try others
 * @param meant likelihood by embedding that each wording asks the same, 0..1; empty: unknown
 */
export function matchQuestion(
  asked: QuestionForm,
  wordings: readonly QuestionForm[],
  meant: readonly number[],
  threshold = SAME_MEANING_LIKELIHOOD,
): QuestionMatch {
  const byWords = Math.max(...wordings.map((wording) => similarity(asked, wording)));
  if (wordings.some((wording) => similarity(asked, wording) >= SIMILAR_QUESTION && hasSameSubject(asked, wording)))
    return { like: byWords, same: true };
  let most = 0;
  for (const [at, wording] of wordings.entries()) {
    const likely = meant[at] ?? 0;
    // Embeddings do not distinguish days, so visible differences are checked first.
    if (likely > most && mayAskTheSame(asked, wording)) most = likely;
  }
  if (most < NEAR_QUESTION_LIKELIHOOD) return { like: byWords, same: false };
  return { like: Math.min(MAX_EMBEDDING_CONFIDENCE, Math.max(byWords, most)), same: most >= threshold };
}

/** Returns the likelihood by embedding, 0..1, that two questions ask the same; `matchQuestion` takes it as `meant`. */
export const likelihoodByEmbedding = (
  { vector, scale }: Pick<QueryEmbedding, "vector" | "scale">,
  codes: Buffer,
): number => likelihoodOf(similarityTo(vector, codes), scale.replyExample);
