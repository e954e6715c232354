import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { piecesOf } from "./pieces.ts";
import type { Citation } from "./reader.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Minimum number of pieces; the spread of fewer may be chance. */
const MIN_PIECES = 5;
/** Minimum spread of cosines; a smaller one comes from rounding in storage. */
const MIN_SPREAD = 1e-6;

/**
 * Standard deviations by which a piece must lead to replace the quotation by words (`AHEAD`), or to be quoted when there is none
 * (`FAR_AHEAD`). On bench:answers with multilingual-e5-small, half of such quotations contain the answer, and one of three unanswerable
 * questions gets a quotation (docs/decisions/024-search-index-and-embeddings.md).
 */
const AHEAD = 2;
const FAR_AHEAD = 3;
/** Likelihood of a quotation found only by embedding: enough for a question, too little for a remark. */
const LIKELIHOOD = 0.15;

type Likely = Citation & { likelihood: number };

export function quotationByEmbedding(
  byWords: Likely | null,
  meant: (Citation & { ahead: number }) | null,
): Likely | null {
  if (meant === null) return byWords;
  const { text, chunk, ahead } = meant;
  if (byWords !== null && byWords.likelihood >= THRESHOLDS.quotation)
    return ahead < AHEAD ? byWords : { text, chunk, likelihood: byWords.likelihood };
  const both = byWords?.text === text;
  return (both && ahead >= AHEAD) || ahead >= FAR_AHEAD ? { text, chunk, likelihood: LIKELIHOOD } : byWords;
}

/** Whether anything is close enough to be shown after «не знаю». */
export const mayShowNearest = (byWords: Likely | null, meant: { ahead: number } | null): boolean =>
  (byWords?.likelihood ?? 0) >= THRESHOLDS.nearest || (meant?.ahead ?? 0) >= AHEAD;

/**
 * Returns the piece nearest by embedding and its lead over the others in standard deviations, because cosines of different models and
 * documents are not comparable. Null: too few pieces have embeddings.
 * @param similarities cosines of the pieces of each chunk, by chunk id
 */
export function nearestPiece(
  chunks: readonly ReplyChunk[],
  similarities: ReadonlyMap<number, readonly number[]>,
): (Citation & { ahead: number }) | null {
  const all = chunks.flatMap((chunk) => {
    const pieces = piecesOf(chunk.text);
    return (similarities.get(Number(chunk.id)) ?? []).flatMap((similarity, at) =>
      pieces[at] === undefined ? [] : [{ chunk, text: pieces[at], similarity }],
    );
  });
  if (all.length < MIN_PIECES) return null;
  const mean = all.reduce((sum, one) => sum + one.similarity, 0) / all.length;
  const spread = Math.sqrt(all.reduce((sum, one) => sum + (one.similarity - mean) ** 2, 0) / all.length);
  const best = all.reduce((most, one) => (one.similarity > most.similarity ? one : most));
  return {
    text: best.text,
    chunk: best.chunk,
    ahead: spread < MIN_SPREAD ? 0 : (best.similarity - mean) / spread,
  };
}
