import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { THRESHOLDS } from "../thresholds.ts";
import { piecesOf } from "./pieces.ts";
import type { Citation } from "./reader.ts";

/** With fewer pieces their spread cannot be told from chance. */
const MIN_PIECES = 5;
/** Spread of cosines: a smaller one comes from the rounding of stored bytes. */
const MIN_SPREAD = 1e-6;

/**
 * Standard deviations by which a piece must be ahead to replace what the words would quote (`AHEAD`), and to be quoted where the words
 * would quote nothing (`FAR_AHEAD`). On the questions of bench:answers, with multilingual-e5-small, half of such quotations hold the
 * answer, and one of three unanswerable questions gets a quotation (docs/decisions/024-search-index-and-embeddings.md).
 */
const AHEAD = 2;
const FAR_AHEAD = 3;
/** Likelihood of a quotation that only the embedding has found: enough for a question, too little for a remark. */
const LIKELIHOOD = 0.15;

/** A piece and the likelihood that it holds what is asked for. */
type Likely = Citation & { likelihood: number };

/** Decides between what the words and what the embedding would quote. */
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

/** Whether anything is near enough to be shown behind «не знаю». */
export const isNear = (byWords: Likely | null, meant: { ahead: number } | null): boolean =>
  (byWords?.likelihood ?? 0) >= THRESHOLDS.nearest || (meant?.ahead ?? 0) >= AHEAD;

/**
 * The piece that is nearest by embedding, and by how many standard deviations it is nearer than the other pieces: the cosines of
 * different models and documents cannot be compared otherwise. null: too few pieces have vectors.
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
