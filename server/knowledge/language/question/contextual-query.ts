import type { HistoryTurn } from "../history-turn.ts";
import { smallTalkOf } from "../small-talk.ts";
import { stemOf } from "../words/analyze.ts";
import { FUNCTION_WORDS, wordsOf } from "../words/lexicon.ts";
import { tradeWordsOf } from "../words/trade-words.ts";
import { type AnswerType, askedTypes, isTypeWord } from "./answer-type.ts";
import { wantOf, withoutOpening } from "./question.ts";
import type { FollowUp } from "./question-parts.ts";
import { type PhraseKind, phrasesOf } from "./question-phrases.ts";

/**
 * Completes a message from its conversation. «а в Казань?» repeats the previous question with another place, «и долго идёт?» asks about
 * the same thing, «а для детей?» replaces the person. A new element replaces the one of its kind; the rest is carried over.
 */

const LEANING = /^(?:а|и|но|ну|тогда|так|еще|ещё|and|what about|how about)(?!\p{L})/iu;
const OPENING = /^(?:(?:а|и|но|ну|тогда|так|ещё|еще|если|and|what about|how about)[,\s]+)+/iu;
const POINTING = new Set(
  "он она оно они его ее их ему ей им это этот эта эти этого этой этому этим этих там туда тогда такой такая такие такое столько него нее них ней it they this that these those there he she them".split(
    " ",
  ),
);
const ADDRESSED = new Set("вы вас вам вами ты тебя тебе тобой you".split(" "));
const ADJECTIVE = /(?:ый|ий|ой|ая|яя|ое|ее|ую|юю|ого|его|ому|ему|ым|им|ых|их|ые|ие)$/u;
/** Types of questions about the business that answers, not about the thing mentioned before. */
const OF_WHO_ANSWERS = new Set<AnswerType>(["phone", "email", "hours"]);
/** Maximum number of content words of a follow-up; a longer message is complete. */
const LONGEST = 5;
const TURNS = 4;
const LONGEST_ANSWER = 600;

/** Returns the earlier question and answer that the message follows up on; null when it is complete. */
export function followUpOf(history: readonly HistoryTurn[], message: string): FollowUp | null {
  if (history.length === 0) return null;
  const text = message.trim();
  if (!mayDependOnContext(text)) return null;
  const at = baseOf(history);
  if (at < 0) return null;
  const asked = history[at]!.content.trim();
  const answers = history.slice(at + 1).filter(({ role }) => role === "assistant");
  const answer = answers
    .slice(-TURNS)
    .map(({ content }) => content)
    .join(" ")
    .slice(0, LONGEST_ANSWER);
  const phrases = phrasesOf(text);
  const form =
    phrases.things.length === 0 ? (phrases.bound.length > 0 ? "bare" : "silent") : phrases.predicate ? "own" : "bare";
  const put = new Set(phrases.bound.map(({ kind }) => kind));
  const thing = form === "bare" && phrases.bound.length === 0 ? phrases.things : [];
  return {
    asked,
    question: without(asked, put, thing),
    answer: without(answer, put, []),
    form,
    replacesThing: thing.length > 0,
  };
}

/** Returns the earlier question that the message follows up on; null when it is complete. */
export const dependsOnContext = (history: readonly HistoryTurn[], message: string): string | null =>
  followUpOf(history, message)?.asked ?? null;

/** Rewrites the message as a question that can be understood without the conversation. */
export function standaloneQuestion(history: readonly HistoryTurn[], message: string): string {
  const before = followUpOf(history, message);
  return before === null ? message.trim() : joinFollowUp(before, message);
}

/** Joins the earlier question and the message; a bare phrase gives one sentence: «Сколько стоит доставка по Москве?». */
export function joinFollowUp({ question, form }: FollowUp, message: string): string {
  const asked = form === "bare" ? question.replace(/(?<![?.!…\s])[?.!…\s]+$/u, "") : question;
  return `${asked} ${form === "bare" ? message.trim().replace(OPENING, "") : message.trim()}`.trim();
}

/** Whether the message would be a follow-up if there were an earlier message. */
export function mayDependOnContext(message: string): boolean {
  const text = message.trim();
  return leans(text) && smallTalkOf(text) === null;
}

/**
 * Returns the index of the latest complete question, else of the earliest recent question, else of the earliest recent statement; -1 if
 * there is none.
 */
function baseOf(history: readonly HistoryTurn[]): number {
  let question = -1;
  let told = -1;
  for (let at = history.length - 1, seen = 0; at >= 0 && seen < TURNS; at--) {
    const { role, content } = history[at]!;
    if (role !== "user") continue;
    seen++;
    if (smallTalkOf(content) !== null) continue;
    // After «а по Москве?», «а по Казани?» still refers to the first question.
    const asks = wantOf(content) === "question";
    if (asks && !leans(content.trim())) return at;
    if (asks) question = at;
    else told = at;
  }
  return question >= 0 ? question : told;
}

function leans(text: string): boolean {
  const words = withoutOpening(wordsOf(text));
  const trade = new Set(tradeWordsOf(text));
  const content = words.filter((word) => trade.has(word) || (!FUNCTION_WORDS.has(word) && word.length > 2));
  if (content.length > LONGEST) return false;
  const pointing = words.some((word) => POINTING.has(word));
  if (LEANING.test(text)) return content.length < LONGEST && (pointing || !saysItself(text, words));
  if (pointing) return true;
  return (
    (content.length <= 1 || content.every(isTypeWord)) &&
    wantOf(text) === "question" &&
    !isWhole(text, words, content) &&
    // An abbreviation with a predicate makes it complete: «Можно по СБП?».
    !(trade.size > 0 && phrasesOf(text).predicate)
  );
}

/** «А можно прийти к вам на склад?» starts like a follow-up, but is complete. */
function saysItself(text: string, words: readonly string[]): boolean {
  if (!words.some((word) => ADDRESSED.has(word))) return false;
  const { things, predicate } = phrasesOf(text);
  // «а большой у вас сколько стоит?» has only an adjective, so its noun comes from before.
  return predicate && things.some((thing) => !ADJECTIVE.test(thing));
}

/** Whether a question with hardly any content word is still complete: «Как к вам доехать?», «Какой телефон?». */
function isWhole(text: string, words: readonly string[], content: readonly string[]): boolean {
  const types = askedTypes(text);
  if (types.some((type) => OF_WHO_ANSWERS.has(type))) return true;
  const addressed = words.some((word) => ADDRESSED.has(word));
  if (addressed && (types.includes("place") || content.some((word) => !isTypeWord(word)))) return true;
  const { things, predicate } = phrasesOf(text);
  return things.length > 0 && predicate;
}

/** Removes the phrases of these kinds, and the only noun when the message names another one. */
function without(text: string, kinds: ReadonlySet<PhraseKind>, things: readonly string[]): string {
  const { bound, things: own } = phrasesOf(text);
  let left = text;
  for (const phrase of bound.filter(({ kind }) => kinds.has(kind)).reverse())
    left = `${left.slice(0, phrase.start)}${left.slice(phrase.end)}`;
  const stems = new Set(things.map((thing) => stemOf(thing)));
  const [only] = own;
  const named = own.some((thing) => stems.has(stemOf(thing)));
  if (things.length > 0 && own.length === 1 && !named && !isTypeWord(only!))
    left = left.replace(/\p{L}+(?:-\p{L}+)*/gu, (word) => (word.toLowerCase() === only!.toLowerCase() ? "" : word));
  return left
    .replace(/\s+/g, " ")
    .replace(/\s(?=[?.!,])/g, "")
    .trim();
}
