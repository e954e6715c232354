import type { ReplyPassage } from "#server/search/passage.ts";
import { THRESHOLDS } from "../decide.ts";
import { piecesOf } from "./pieces.ts";
import type { Quotation } from "./quotation.ts";

/** Fewer pieces have no spread that could be told from chance. */
const LEAST_PIECES = 5;
/** Of cosines: less is the rounding of stored bytes. */
const LEAST_SPREAD = 1e-6;

/**
 * Standard deviations by which a piece must be ahead: to be quoted in the place of what words would quote, and to be quoted where they would
 * quote nothing. Of bench:answers' questions looked at, with multilingual-e5-small, half of what is quoted so holds the answer, and at one of three
 * that the documents do not answer something is quoted (docs/decisions/054).
 */
const AHEAD = 2;
const FAR_AHEAD = 3;
/** Of a quotation that only meaning has found: enough for a question, too little for what is none. */
const LIKELIHOOD = 0.15;

/** A piece, and how likely it holds what is asked for. */
type Likely = Quotation & { likelihood: number };

/** What is quoted, of what words have found and what is nearest in meaning. */
export function quotationByMeaning(
  byWords: Likely | null,
  meant: (Quotation & { ahead: number }) | null,
): Likely | null {
  if (meant === null) return byWords;
  const { text, passage, ahead } = meant;
  if (byWords !== null && byWords.likelihood >= THRESHOLDS.quotation)
    return ahead < AHEAD ? byWords : { text, passage, likelihood: byWords.likelihood };
  const both = byWords?.text === text;
  return (both && ahead >= AHEAD) || ahead >= FAR_AHEAD ? { text, passage, likelihood: LIKELIHOOD } : byWords;
}

/**
 * The piece that is nearest in meaning, and by how many standard deviations it is nearer than the pieces beside it are: cosines of
 * different models, and of different owners' documents, compare with nothing else. null: too few pieces are learnt.
 * @param similarities of the pieces of each passage, by its id
 */
export function nearestPiece(
  passages: readonly ReplyPassage[],
  similarities: ReadonlyMap<number, readonly number[]>,
): (Quotation & { ahead: number }) | null {
  const all = passages.flatMap((passage) => {
    const pieces = piecesOf(passage.text);
    return (similarities.get(Number(passage.id)) ?? []).flatMap((similarity, at) =>
      pieces[at] === undefined ? [] : [{ passage, text: pieces[at], similarity }],
    );
  });
  if (all.length < LEAST_PIECES) return null;
  const mean = all.reduce((sum, one) => sum + one.similarity, 0) / all.length;
  const spread = Math.sqrt(all.reduce((sum, one) => sum + (one.similarity - mean) ** 2, 0) / all.length);
  const best = all.reduce((most, one) => (one.similarity > most.similarity ? one : most));
  return {
    text: best.text,
    passage: best.passage,
    ahead: spread < LEAST_SPREAD ? 0 : (best.similarity - mean) / spread,
  };
}
