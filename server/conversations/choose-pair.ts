/** Chooses the pair of the history that is shown: the one that the twin answers best, or the one that it knows least about. */
import { mayDependOnContext } from "#server/language/question/contextual-query.ts";
import { wantOf } from "#server/language/question/question.ts";
import type { ReplyRequest } from "#server/replies/reply-request.ts";

/** A message that the twin was asked, before it has answered. */
export interface Tried {
  answer: { request: Pick<ReplyRequest, "plan" | "corrected" | "message"> };
}

type Kind = ReplyRequest["plan"]["kind"];

/**
 * How much an answer shows: one of the twin's own more than a set phrase, and that more than a quotation, which claims to answer
 * nothing.
 */
const SHOWS: Record<Kind, number> = { knowledge: 3, recurring: 3, smalltalk: 2, quoted: 1, unknown: 0 };

/** @param tried the pairs, those more worth showing first, which decides between equals. @returns undefined without any */
export function bestAnswered<T extends Tried>(tried: readonly T[]): T | undefined {
  return first(tried, (a, b) => SHOWS[b.kind] - SHOWS[a.kind] || b.confidence - a.confidence);
}

/**
 * The pair most worth teaching: a question that can be understood by itself, where there is one, and nothing that the owner has taught
 * already.
 * @param tried as for `bestAnswered`
 */
export function leastKnown<T extends Tried>(tried: readonly T[]): T | undefined {
  const untaught = tried.filter((one) => !isTaught(one));
  const asked = untaught.filter(({ answer }) => standsAlone(answer.request.message));
  const choice = [asked, untaught, tried].find(({ length }) => length > 0) ?? [];
  // For unknown messages the confidence tells nothing, so the order decides.
  const doubt = ({ kind, confidence }: ReplyRequest["plan"]) => (kind === "unknown" ? 0 : confidence);
  return first(choice, (a, b) => doubt(a) - doubt(b));
}

/** Whether the message is a question that needs no context; in a chat a sentence may begin in lower case. */
const standsAlone = (message: string): boolean =>
  wantOf(message) === "question" && !message.split(/[.!?…\n]/u).some((part) => mayDependOnContext(part));

/** Whether a correction answers it. */
export const isTaught = ({ answer }: Tried): boolean => Boolean(answer.request.corrected);

function first<T extends Tried>(
  choice: readonly T[],
  order: (a: ReplyRequest["plan"], b: ReplyRequest["plan"]) => number,
): T | undefined {
  return [...choice].sort((a, b) => order(a.answer.request.plan, b.answer.request.plan))[0];
}
