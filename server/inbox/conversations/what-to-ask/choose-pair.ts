/** Chooses the pair of the history that is shown: one that the twin answers well, or the one that it knows least about. */

import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { isDeferral } from "#server/knowledge/language/deferral.ts";
import { mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { findPhrases, wordsOf } from "#server/knowledge/language/words/lexicon.ts";

/** A message that the twin was asked, before it has answered. */
export interface TriedQuestion {
  answer: { request: Pick<ReplyRequest, "plan" | "corrected" | "message" | "replyExamples"> };
}

type Kind = ReplyRequest["plan"]["kind"];

/** How much an answer shows: one of the twin's own more than a set phrase. Kinds that are not here answer nothing. */
const SHOWS: Partial<Record<Kind, number>> = { knowledge: 3, recurring: 3, smalltalk: 2 };

/** What is less sure meets a message by its mere kind («ого», «держись»), which may be told apart wrongly. */
const SURE_SMALL_TALK = 0.75;

/**
 * Those that the twin answers, the surest first: neither a quotation, which claims to answer nothing, nor words of the owner's that
 * only say that he does not know, nor a kind word that may miss what was said.
 * @param tried the pairs, those more worth showing first, which decides between equals
 */
export function rankWellAnswered<T extends TriedQuestion>(tried: readonly T[]): T[] {
  const shows = ({ kind }: ReplyRequest["plan"]) => SHOWS[kind] ?? 0;
  return ordered(tried.filter(isShowable), (a, b) => shows(b) - shows(a) || b.confidence - a.confidence);
}

/** Whether the answer may be shown as one that the twin knows. */
export const isShowable = (one: TriedQuestion): boolean => {
  const { kind, confidence } = one.answer.request.plan;
  return isHandled(one) && (kind !== "smalltalk" || confidence >= SURE_SMALL_TALK);
};

const isHandled = ({ answer: { request } }: TriedQuestion): boolean =>
  SHOWS[request.plan.kind] !== undefined &&
  !(request.plan.kind === "recurring" && expressesUncertainty(request.replyExamples[0]?.reply ?? ""));

/** «точно не знаю», «хз», «уточню и напишу»: such words leave a question as it was. */
export function expressesUncertainty(text: string): boolean {
  const words = wordsOf(text);
  return isDeferral(words) || findPhrases(words).some(({ kind }) => kind === "unsure");
}

/** The one whose answer has the largest part of the owner's own words, by their stems; of equals the first. */
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
 * The pair most worth teaching: what the twin does not answer before what it does, then a self-contained question, and nothing that the
 * owner has taught already.
 * @param tried as for `rankWellAnswered`
 */
export function leastKnown<T extends TriedQuestion>(tried: readonly T[]): T | undefined {
  const untaught = tried.filter((one) => !isTaught(one));
  const open = untaught.filter((one) => !isHandled(one));
  const asked = (some: readonly T[]) => some.filter(({ answer }) => standsAlone(answer.request.message));
  const choice = [asked(open), open, asked(untaught), untaught, tried].find(({ length }) => length > 0) ?? [];
  // For unknown messages the confidence tells nothing, so the order decides.
  const doubt = ({ kind, confidence }: ReplyRequest["plan"]) => (kind === "unknown" ? 0 : confidence);
  return ordered(choice, (a, b) => doubt(a) - doubt(b))[0];
}

/** Whether the message is a question that needs no context; in a chat a sentence may begin in lower case. */
const standsAlone = (message: string): boolean =>
  wantOf(message) === "question" && !message.split(/[.!?…\n]/u).some((part) => mayDependOnContext(part));

/** Whether a correction answers it. */
export const isTaught = ({ answer }: TriedQuestion): boolean => Boolean(answer.request.corrected);

function ordered<T extends TriedQuestion>(
  choice: readonly T[],
  order: (a: ReplyRequest["plan"], b: ReplyRequest["plan"]) => number,
): T[] {
  return choice.toSorted((a, b) => order(a.answer.request.plan, b.answer.request.plan));
}
