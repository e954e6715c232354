/** Chooses the history pair to show: one that the twin answers well, or the one that it knows least about. */

import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { isDeferral } from "#server/knowledge/language/deferral.ts";
import { mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { findPhrases, wordsOf } from "#server/knowledge/language/words/lexicon.ts";

/** A message with the plan of the twin's answer, before it is generated. */
interface TriedQuestion {
  answer: { request: Pick<ReplyRequest, "plan" | "corrected" | "message" | "replyExamples"> };
}

type Kind = ReplyRequest["plan"]["kind"];

/** How informative a kind of answer is: an answer from knowledge more than a set phrase. Missing kinds answer nothing. */
const SHOWS: Partial<Record<Kind, number>> = { knowledge: 3, recurring: 3, smalltalk: 2 };

/** Below this confidence, small talk reacts only to the kind of message («ого», «держись»), which may be recognised wrongly. */
const SURE_SMALL_TALK = 0.75;

/**
 * Returns the pairs that the twin answers, the most confident first. It excludes quotations, «I do not know» in the owner's words, and kind
 * phrases that may miss the point.
 * @param tried the pairs by rank, which decides between equals
 */
export function rankWellAnswered<T extends TriedQuestion>(tried: readonly T[]): T[] {
  const shows = ({ kind }: ReplyRequest["plan"]) => SHOWS[kind] ?? 0;
  return ordered(tried.filter(isShowable), (a, b) => shows(b) - shows(a) || b.confidence - a.confidence);
}

/** Returns whether the answer may be shown as one that the twin knows. */
export const isShowable = (one: TriedQuestion): boolean => {
  const { kind, confidence } = one.answer.request.plan;
  return isHandled(one) && (kind !== "smalltalk" || confidence >= SURE_SMALL_TALK);
};

const isHandled = ({ answer: { request } }: TriedQuestion): boolean =>
  SHOWS[request.plan.kind] !== undefined &&
  !(request.plan.kind === "recurring" && expressesUncertainty(request.replyExamples[0]?.reply ?? ""));

/** Matches «точно не знаю», «хз», «уточню и напишу»: such words answer no question. */
export function expressesUncertainty(text: string): boolean {
  const words = wordsOf(text);
  return isDeferral(words) || findPhrases(words).some(({ kind }) => kind === "unsure");
}

/** Returns the one whose answer shares the largest part of the owner's stems; among equals the first. */
export function nearestToOwner<T>(
  some: readonly T[],
  textsOf: (one: T) => { owners: string; twins: string },
): T | undefined {
  const shared = (one: T) => {
    const { owners, twins } = textsOf(one);
    const [his, its] = [stemsOf(owners), stemsOf(twins)];
    return his.size === 0 ? 0 : [...his].filter((stem) => its.has(stem)).length / his.size;
  };
  return some.map((one) => ({ one, part: shared(one) })).toSorted((a, b) => b.part - a.part)[0]?.one;
}

const stemsOf = (text: string): Set<string> => new Set(contentWords(text).map(stemOf));

/**
 * Returns the pair most worth teaching: unanswered ones first, then self-contained questions, never those already taught.
 * @param tried as for `rankWellAnswered`
 */
export function leastKnown<T extends TriedQuestion>(tried: readonly T[]): T | undefined {
  const untaught = tried.filter((one) => !isTaught(one));
  const open = untaught.filter((one) => !isHandled(one));
  const asked = (some: readonly T[]) => some.filter(({ answer }) => standsAlone(answer.request.message));
  const choice = [asked(open), open, asked(untaught), untaught, tried].find(({ length }) => length > 0) ?? [];
  // For unknown messages the confidence means nothing, so the order decides.
  const doubt = ({ kind, confidence }: ReplyRequest["plan"]) => (kind === "unknown" ? 0 : confidence);
  return ordered(choice, (a, b) => doubt(a) - doubt(b))[0];
}

/** Returns whether the message is a question that needs no context; in a chat a sentence may begin in lower case. */
export const standsAlone = (message: string): boolean =>
  wantOf(message) === "question" && !message.split(/[.!?…\n]/u).some((part) => mayDependOnContext(part));

export const isTaught = ({ answer }: TriedQuestion): boolean => Boolean(answer.request.corrected);

function ordered<T extends TriedQuestion>(
  choice: readonly T[],
  order: (a: ReplyRequest["plan"], b: ReplyRequest["plan"]) => number,
): T[] {
  return choice.toSorted((a, b) => order(a.answer.request.plan, b.answer.request.plan));
}
