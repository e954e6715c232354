import { LIKE_QUESTION, likeness, mayAskTheSame, type QuestionForm } from "./like-question.ts";

/**
 * Likelihood from which a question that means the same is answered as it was corrected. On bench:corrections (multilingual-e5-small) so
 * many rewordings hold and so few near questions are taken for the same that a false hit is rarer than a rewording missed (docs/decisions/054).
 */
export const MEANS_THE_SAME = 0.92;

/** What only its meaning tells is never surer: under «auto if confident» the owner sees it first (docs/decisions/021). */
export const SUREST_BY_MEANING = 0.65;

/** From here on two questions are near, if not the same. */
export const NEAR_QUESTION = 0.3;

export interface Sameness {
  /** 0..1 */
  like: number;
  /** What was corrected is the answer. */
  same: boolean;
}

/**
 * Whether a question asks what a corrected one asks.
 * @param wordings of the corrected question
 * @param threshold of `meant`; benches try others
 * @param meant of each wording, how likely it is by meaning alone that it asks the same, 0..1; empty: not known
 */
export function samenessOf(
  asked: QuestionForm,
  wordings: readonly QuestionForm[],
  meant: readonly number[],
  threshold = MEANS_THE_SAME,
): Sameness {
  const byWords = Math.max(...wordings.map((wording) => likeness(asked, wording)));
  if (byWords >= LIKE_QUESTION) return { like: byWords, same: true };
  // Embeddings do not tell one day from another: of each wording for itself it is seen whether it may be the same.
  const most = Math.max(0, ...wordings.map((wording, at) => (mayAskTheSame(asked, wording) ? (meant[at] ?? 0) : 0)));
  if (most < NEAR_QUESTION) return { like: byWords, same: false };
  return { like: Math.max(byWords, Math.min(SUREST_BY_MEANING, most)), same: most >= threshold };
}
