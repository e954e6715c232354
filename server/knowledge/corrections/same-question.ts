import { mayAskTheSame, type QuestionForm, SIMILAR_QUESTION, similarity } from "./similar-question.ts";

/**
 * Likelihood from which on a question gets the corrected answer because it means the same. On bench:corrections (multilingual-e5-small)
 * it is chosen so that a false match is rarer than a missed rewording (docs/decisions/022-corrections.md).
 */
export const SAME_MEANING_LIKELIHOOD = 0.92;

/** The highest confidence of a match by embedding alone: under «auto if confident» the owner sees it first (docs/decisions/024-search-index-and-embeddings.md). */
export const MAX_EMBEDDING_CONFIDENCE = 0.65;

/** Likelihood from which on two questions are near, if not the same. */
export const NEAR_QUESTION_LIKELIHOOD = 0.3;

export interface QuestionMatch {
  /** 0..1 */
  like: number;
  /** Whether the correction is the answer. */
  same: boolean;
}

/**
 * Whether a question asks the same as a corrected one.
 * @param wordings of the corrected question
 * @param threshold for `meant`; benchmarks try others
 * @param meant for each wording how likely it asks the same, judged by embedding, 0..1; empty: not known
 */
export function matchQuestion(
  asked: QuestionForm,
  wordings: readonly QuestionForm[],
  meant: readonly number[],
  threshold = SAME_MEANING_LIKELIHOOD,
): QuestionMatch {
  const byWords = Math.max(...wordings.map((wording) => similarity(asked, wording)));
  if (byWords >= SIMILAR_QUESTION) return { like: byWords, same: true };
  let most = 0;
  for (const [at, wording] of wordings.entries()) {
    const likely = meant[at] ?? 0;
    // Embeddings do not distinguish days, so a wording that might count is checked for visible differences first.
    if (likely > most && mayAskTheSame(asked, wording)) most = likely;
  }
  if (most < NEAR_QUESTION_LIKELIHOOD) return { like: byWords, same: false };
  return { like: Math.max(byWords, Math.min(MAX_EMBEDDING_CONFIDENCE, most)), same: most >= threshold };
}
