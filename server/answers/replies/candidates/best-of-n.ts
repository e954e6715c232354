/** Generates further replies to the same message while time remains, and chooses the best. */
import { sentenceSpans } from "#server/knowledge/language/sentences.ts";
import { ModelFailure } from "#server/models/host/failures.ts";
import { planOfAnswer } from "../checking/answer-plan.ts";
import { type Attempt, flawlessAnswer } from "../checking/checked-answer.ts";
import { isAnsweredSocially } from "../owner-words/friend-policy.ts";
import type { ReplyRequest } from "../reply-request.ts";
import type { Candidate } from "./candidate.ts";
import { choose } from "./choose.ts";

export const MAX_CANDIDATES = 8;
/** Milliseconds for all candidates but the first, because the asker is waiting. */
export const CANDIDATES_MS = 6000;

/** Receives the acceptable candidates in the order in which the model wrote them. */
export type Observe = (request: ReplyRequest, candidates: readonly Candidate[]) => void;

export interface Writing {
  most: number;
  forMs: number;
  /** Milliseconds that writing the first took, without reading its prompt; used as an estimate for each further one. */
  firstMs: number;
  ask(at: number): Attempt;
  /** Texts of the prompt that must not be shown. */
  secrets: readonly string[];
  /** Whether a reply is rejected although it has passed the checks. */
  refuses(candidate: Candidate): boolean;
  /** Whether another request waits for the model; then no further reply is generated. */
  isWanted(): boolean;
  observe?: Observe | undefined;
}

/**
 * A candidate that is less confident than the first by more than this is never chosen. Differences in wording alone change confidence by
 * less.
 */
const LESS_SURE = 0.05;

/**
 * @returns the chosen candidate; `first` when no other could be generated
 * @throws whatever the first attempt may throw, except a failure of the model
 */
export async function bestOf(first: Candidate, request: ReplyRequest, writing: Writing): Promise<Candidate> {
  const { most, forMs, firstMs, isWanted, observe } = writing;
  const candidates = [first];
  const wanted = request.scorer && first.notes.kind === "answered" ? most : 1;
  const until = performance.now() + forMs;
  let longestMs = firstMs;
  for (let at = 1; at < wanted && !isWanted(); at++) {
    const begun = performance.now();
    if (begun + longestMs > until) break;
    const next = await another(request, writing, at);
    if (next === "failed") break;
    longestMs = Math.max(longestMs, performance.now() - begun);
    if (next !== null && isAsSure(request, first, next)) candidates.push(next);
  }
  observe?.(request, candidates);
  return bestAmong(candidates, request);
}

/** @param candidates at least one, in the model's order; their first sentences compete too */
function bestAmong(candidates: readonly Candidate[], request: ReplyRequest): Candidate {
  const beginnings = candidates.flatMap((candidate) => beginningsOf(request, candidate));
  return choose([...candidates, ...beginnings], request);
}

/** Numbers of sentences to which a candidate is shortened: owners rarely write more in response to a remark. */
const BEGINNINGS = [1, 2];

/**
 * Models are wordier than people, so the first sentences of a reply without statements compete too, at no further cost. An answer is
 * never shortened, because its end may contain a condition.
 */
function beginningsOf(request: ReplyRequest, { text, notes }: Candidate): Candidate[] {
  if (notes.kind !== "answered" || request.corrected) return [];
  if (!isAnsweredSocially(request) && planOfAnswer(request, text, notes).kind !== "smalltalk") return [];
  const ends = sentenceSpans(text).map(({ end }) => end);
  return BEGINNINGS.filter((count) => count < ends.length).map((count) => ({
    ...{ text: text.slice(0, ends[count - 1]).trim(), notes },
  }));
}

/** Null: the reply contains something that must not be sent. "failed": the model failed, and the first candidate is kept. */
async function another(
  request: ReplyRequest,
  { ask, secrets, refuses }: Writing,
  at: number,
): Promise<Candidate | null | "failed"> {
  try {
    const found = await flawlessAnswer(request, secrets, ask(at));
    return found === null || refuses(found) ? null : found;
  } catch (error) {
    if (error instanceof ModelFailure) return "failed";
    throw error;
  }
}

function isAsSure(request: ReplyRequest, first: Candidate, next: Candidate): boolean {
  // A reply to a friend states nothing, so confidence does not matter (docs/decisions/027-answers-without-a-model.md).
  if (isAnsweredSocially(request)) return true;
  const [plan, other] = [first, next].map(({ text, notes }) => planOfAnswer(request, text, notes));
  return (
    other!.kind === plan!.kind && !other!.held === !plan!.held && other!.confidence >= plan!.confidence - LESS_SURE
  );
}
