import type { CorrectionKind, StyleRule } from "#contract/corrections.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { slotsOf } from "#server/knowledge/language/slots.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { normalize, stemOf } from "#server/knowledge/language/words/analyze.ts";
import { findPhrases, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { findRules } from "./find-rules.ts";
import { greetingLength } from "./style-rules.ts";

/** Minimum share of the owner's words in the twin's text from which they differ only in style. */
const SAME_MATTER = 0.7;

export function suggestedKind(
  { question, twinReply, text }: { question: string; twinReply: string; text: string },
  rules: readonly StyleRule[],
): CorrectionKind {
  if (rules.length > 0 && saysTheSame(twinReply, text)) return "style";
  const asks = wantOf(question) === "question" && smallTalkOf(question) === null;
  return asks && (matterOf(text).size > 0 || slotsOf(text).length > 0) ? "fact" : "example";
}

/** Returns the kind of correction for a text that was sent as an answer; it cannot be a style rule. */
export function answerKind(exchange: { question: string; twinReply: string; text: string }): "fact" | "example" {
  const { twinReply, text } = exchange;
  const kind = suggestedKind(exchange, findRules(twinReply, text));
  return kind === "style" ? "example" : kind;
}

/** Whether the owner's text adds nothing: it is shorter or reworded. */
function saysTheSame(twinReply: string, text: string): boolean {
  const told = matterOf(text).size > 0 ? matterOf : wordSet;
  const twins = told(twinReply);
  const own = [...told(text)];
  const numbers = numbersIn(twinReply);
  if ([...numbersIn(text)].some((number) => !numbers.has(number))) return false;
  return own.filter((stem) => twins.has(stem)).length >= own.length * SAME_MATTER;
}

function matterOf(text: string): Set<string> {
  const words = wordsOf(text);
  const empty = new Set(
    findPhrases(words).flatMap(({ at, length }) => words.slice(at, at + length).map((word) => stemOf(word))),
  );
  const stems = contentWords(text).map((word) => stemOf(word));
  return new Set(stems.filter((stem) => stem !== "" && !empty.has(stem)));
}

const wordSet = (text: string) => new Set(wordsOf(text.slice(greetingLength(text))));
const numbersIn = (text: string) => new Set(normalize(text).match(/\d+/g) ?? []);
