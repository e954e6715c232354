/** Selects passages closest to a question without a reliable answer, because the asker may find the answer in them. */
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { quotationOf } from "./quotation.ts";
import type { Citation } from "./reader.ts";

/**
 * One piece contains the answer to a third of the answerable questions examined, two to nearly half; a third piece adds more noise than
 * help.
 */
const MAX_PIECES = 2;
const LONGEST = 640;

/**
 * Returns distinct pieces whose sentences fit the question best, in the order in which their documents were found.
 * @param first pieces that precede them, if any: the quotation and the piece nearest by embedding
 */
export function nearestPieces(chunks: readonly ReplyChunk[], first: readonly (Citation | null)[]): Citation[] {
  const best = chunks
    .flatMap((chunk) => chunk.sentences.map(({ text, score }) => ({ chunk, text, score })))
    .sort((a, b) => b.score - a.score);
  const pieces: Citation[] = [];
  let left = LONGEST;
  const add = (piece: Citation | null): void => {
    if (
      piece === null ||
      isTitle(piece.text) ||
      piece.text.length > left ||
      pieces.some((one) => says(one.text, piece.text))
    )
      return;
    pieces.push({ text: piece.text, chunk: piece.chunk });
    left -= piece.text.length;
  };
  for (const piece of first) add(piece);
  for (const { chunk, text } of best) {
    if (pieces.length >= MAX_PIECES) break;
    add(quotationOf(text, chunk));
  }
  return pieces;
}

/** A title announces something and states nothing: «Забор и доставка». */
const isTitle = (text: string): boolean => !/[\d.!?;:,\n]/.test(text) && text.split(/\s+/).length < 6;

const says = (one: string, other: string) => one.includes(other) || other.includes(one);
