/**
 * Limits the trust in a local model that has not passed its exam: small ones write well and comprehend badly (docs/quality.md). A third of
 * Qwen2.5 1.5B's statements were wrong, whatever their support in the chunks, and it missed the answer in a third of the chunks that had
 * one. Such an answer is therefore used only when the extractive reader finds the same place.
 */

import { readPieces } from "../extraction/read-pieces.ts";
import type { AnswerNotes, ReplyRequest } from "../reply-request.ts";
import { planOfAnswer } from "./answer-plan.ts";

/**
 * Minimum confidence in the place that both readers found. Between .5 and .65 four of six statements were wrong, above that one of nine
 * (docs/quality.md).
 */
const MIN_CONFIDENCE = 0.7;

/** Whether such a model's answer may be sent without the owner's review. A reply that states nothing (to a greeting or a remark) may. */
export function bothReadersAgree(request: ReplyRequest, text: string, notes: AnswerNotes): boolean {
  if (notes.kind === "unknown") return false;
  const chunks = readPieces(request).map(({ text: piece, chunk }) => ({
    ...chunk,
    text: piece,
    sentences: chunk.sentences.filter((sentence) => piece.includes(sentence.text.trim())),
  }));
  const { kind, confidence, held = false } = planOfAnswer({ ...request, chunks }, text, notes);
  return !held && (kind === "smalltalk" || confidence >= MIN_CONFIDENCE);
}
