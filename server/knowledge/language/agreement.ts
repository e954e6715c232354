/** Whether past replies to similar messages agree: a reply that was given twice is confirmed, one that was contradicted is not. */

import { contentWords } from "./question/question-parts.ts";
import { stemOf } from "./words/analyze.ts";
import { wordsOf } from "./words/lexicon.ts";

interface SaidReply {
  text: string;
  /** 0..1, how like the message is what it answered. */
  score: number;
}

export interface Agreement {
  /** Other replies that say the same. */
  same: number;
  /** One that says yes where this says no, or the other way round. */
  opposed: boolean;
}

/** Dice coefficient of content words from which on two replies say the same. */
const SAME = 0.5;
/** How similar to the message a contradicting pair must be, relative to the pair that is checked. */
const AS_LIKE = 0.8;

const YES = new Set("да ага угу конечно можно есть верно точно yes yeah yep sure".split(" "));
const NO = new Set("нет неа нельзя никак not no nope cannot can't isn't don't".split(" "));

interface Meant {
  plain: string;
  stems: ReadonlySet<string>;
  /** 1 yes, -1 no, 0 neither. */
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

/** Results for the replies, in the same order. */
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
