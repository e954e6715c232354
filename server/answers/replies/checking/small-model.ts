/**
 * How far a small model is trusted. It writes well and reads badly: a third of what Qwen2.5 1.5B stated was wrong, whatever its support
 * in the found chunks, and it saw no answer in a third of the chunks that held one (docs/quality.md). So its answer is used only where
 * the extractive reader points at the same place.
 */

import { readPieces } from "../reading/read-pieces.ts";
import type { AnswerNotes, ReplyRequest } from "../reply-request.ts";
import { planOfAnswer } from "./answer-plan.ts";

/**
 * The least confidence in the place that both readers found. Between .5 and .65 four of six statements were wrong, above that one of
 * nine (docs/quality.md).
 */
const MIN_CONFIDENCE = 0.7;

/**
 * Whether a small model's answer may be shown without the owner reading it first. A reply that states nothing (to a greeting or a
 * remark) may.
 */
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
