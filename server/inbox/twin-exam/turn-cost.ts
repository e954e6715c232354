/** Estimates what one answer usually takes, before it is made. */
import type { Generator } from "#server/answers/replies/generator.ts";

export interface TurnCost {
  /** Calls of the model; a repair takes up to two more (docs/decisions/040-answer-records.md). */
  calls: number;
  input: number;
  output: number;
}

/** Tokens of a Russian letter, see `tokensOf`. */
const TOKENS_PER_CHAR = 0.5;
/** Tokens of the rules around the knowledge, of all calls; and of what is written in one call. */
const RULES = 1500;
const WRITTEN = 80;
/** Characters that are read where the whole knowledge does not fit: what the search has found. */
const FOUND = 8000;

/** @param knowledge characters of all documents. @returns null when no model is asked */
export function turnCost({ name, knowledgeRoom }: Generator, knowledge: number): TurnCost | null {
  if (name === "embedded") return null;
  const calls = knowledgeRoom === undefined ? 1 : 2;
  const read = knowledge <= (knowledgeRoom ?? FOUND) ? knowledge : FOUND;
  return { calls, input: Math.round(RULES + calls * read * TOKENS_PER_CHAR), output: calls * WRITTEN };
}
