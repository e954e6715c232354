import type { QuestionPart } from "#server/knowledge/language/question/question-parts.ts";
import { coversAmounts } from "./amounts.ts";
import { answerByEmbedding } from "./answer-by-embedding.ts";
import { findAnswer, MAX_QUOTED } from "./find-answer.ts";
import { nearestPieces } from "./nearest-pieces.ts";
import { quotationOf } from "./quotation.ts";
import { mayShowNearest, nearestPiece, quotationByEmbedding } from "./quotation-by-embedding.ts";
import type { Found, Reader, ReadingTask } from "./reader.ts";
import { THRESHOLDS } from "./thresholds.ts";

interface ExtractiveTask extends ReadingTask {
  /** The message's questions, completed from the conversation. */
  parts: readonly QuestionPart[];
  rarity: (stem: string) => number;
  meant: ReadonlyMap<string, number>;
  pieces: ReadonlyMap<number, readonly number[]>;
  limit: number;
}

/** Answers with verbatim sentences of the chunks and needs no model. */
export const extractiveReader: Reader<ExtractiveTask> = { read };

function read({ message, parts, chunks, rarity, meant, pieces, limit }: ExtractiveTask): Found {
  const byWords = findAnswer({ parts, chunks, rarity, limit });
  const known = (byWords?.confidence ?? 0) >= THRESHOLDS.knowledge;
  const likely = known ? byWords : (answerByEmbedding(chunks, meant, byWords, limit) ?? byWords);
  const answer =
    likely === null || coversAmounts(message, likely.text)
      ? likely
      : { ...likely, confidence: Math.min(likely.confidence, MAX_QUOTED) };
  const piece = known ? null : nearestPiece(chunks, pieces);
  const said = answer && quotationOf(answer.sentence.text, answer.sentence.chunk);
  const worded = said && { ...said, likelihood: answer.confidence };
  const quotation = quotationByEmbedding(worded, piece);
  return {
    answer,
    quotation,
    nearest: known || !mayShowNearest(worded, piece) ? [] : nearestPieces(chunks, [quotation, piece]),
  };
}
