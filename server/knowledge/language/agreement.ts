/** Compares past replies to similar messages: a reply given twice is confirmed, a contradicted one is not. */

import { contentWords } from "./question/question-parts.ts";
import { stemOf } from "./words/analyze.ts";
import { wordsOf } from "./words/lexicon.ts";

interface SaidReply {
  text: string;
  /** Similarity, 0..1, of the message and the message that this reply answered. */
  score: number;
}

export interface Agreement {
  same: number;
  /** Whether another reply says yes where this one says no, or vice versa. */
  opposed: boolean;
}

/** Dice coefficient of content words from which two replies have the same meaning. */
const SAME = 0.5;
/** Minimum similarity of a contradicting pair to the message, relative to the checked pair. */
const AS_LIKE = 0.8;

const YES = new Set("да ага угу конечно можно есть верно точно yes yeah yep sure".split(" "));
const NO = new Set("нет неа нельзя никак not no nope cannot can't isn't don't".split(" "));

interface Meant {
  plain: string;
  stems: ReadonlySet<string>;
  /** Verdict of the reply: 1 yes, −1 no, 0 neither. */
  verdict: number;
}

function meant(text: string): Meant {
  const words = wordsOf(text);
  const first = words.slice(0, 3);
  const denies = first.some((word) => NO.has(word)) || words.includes("не");
  return {
    plain: words.join(" "),
    stems: new Set(contentWords(text).map((word) => stemOf(word))),
    verdict: denies ? -1 : first.some((word) => YES.has(word)) ? 1 : 0,
  };
}

function saysSame(one: Meant, other: Meant): boolean {
  if (one.plain === other.plain) return true;
  if (one.verdict * other.verdict < 0 || one.stems.size === 0 || other.stems.size === 0) return false;
  const shared = [...one.stems].filter((stem) => other.stems.has(stem)).length;
  return (2 * shared) / (one.stems.size + other.stems.size) >= SAME;
}

export function agreementOf(replies: readonly SaidReply[]): Agreement[] {
  const all = replies.map(({ text, score }) => ({ ...meant(text), score }));
  return all.map((one) => {
    const others = all.filter((other) => other !== one);
    return {
      same: others.filter((other) => saysSame(one, other)).length,
      opposed: others.some((other) => one.verdict * other.verdict < 0 && other.score >= AS_LIKE * one.score),
    };
  });
}
