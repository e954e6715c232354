/**
 * Chooses one of several checked replies. Replies that repeat long pieces of the owner's past ones are skipped; of the rest the one wins
 * that sounds most like the owner without exaggerating his style (knowledge/style-scorer).
 */
import { copyRate } from "#server/answers/fidelity/copy-rate.ts";
import { scoreTurn } from "#server/knowledge/style-scorer/score-turn.ts";
import type { ReplyRequest } from "../reply-request.ts";
import type { Candidate } from "./candidate.ts";

/** In standard deviations; a smaller difference is chance, and the first reply was generated at the lowest temperature. */
const NEAR = 0.15;

/** @param candidates at least one; the first is the model's own choice */
export function choose<One extends Pick<Candidate, "text">>(
  candidates: readonly One[],
  { scorer = null, replyExamples, exchanges = [] }: Pick<ReplyRequest, "scorer" | "replyExamples" | "exchanges">,
): One {
  const shown = [...replyExamples, ...exchanges].map(({ reply }) => reply);
  const own = candidates.filter(({ text }) => copyRate([text], shown) === 0);
  const among = own.length > 0 ? own : candidates;
  if (scorer === null || among.length === 1) return among[0]!;
  const values = among.map(({ text }) => scoreTurn(text, scorer).value);
  const best = Math.max(...values);
  return among[values.findIndex((value) => value >= best - NEAR)]!;
}
