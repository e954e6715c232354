/** Reduces a message to its question: removes greetings, thanks, polite phrases and smileys. */

import { smallTalkOf } from "../small-talk.ts";
import { type FoundPhrase, findPhrases, wordsOf } from "../words/lexicon.ts";
import { askedTypes } from "./answer-type.ts";
import { isInquiryWord, wantOf } from "./question.ts";

interface Word {
  plain: string;
  start: number;
  end: number;
}

/** Phrases around a question that do not depend on its content. */
const AROUND = new Set<FoundPhrase["kind"]>(["greeting", "filler", "thanks", "welcome"]);
/** Phrases that may also be part of a question («идёт», «хорошо»); they are removed only before a comma. */
const BEFORE_A_COMMA = new Set<FoundPhrase["kind"]>(["acknowledgement", "agreement", "wellbeing", "farewell"]);
const PARTICLES = new Set(["а", "и", "но", "ну", "так", "да"]);
/** Maximum words of an introduction such as «хотела бы у вас узнать». */
const LONGEST_KNOCK = 6;

/** Returns the question with a capital letter and a question mark; the unchanged text if nothing would remain. Linear in the text. */
export function bareQuestion(text: string): string {
  const words = wordsIn(text);
  const from = openingOf(text, words);
  const to = closingOf(text, words, from);
  const asked = from < to ? text.slice(words[from]!.start, endOf(text, words, to)) : text;
  const plain = asked.trim().replace(/(?<![\s,;:.!?…)(+-])[\s,;:.!?…)(+-]{1,40}$/u, "");
  if (plain === "") return "";
  const open = plain.lastIndexOf("(") > plain.lastIndexOf(")") ? ")" : "";
  return `${plain[0]!.toUpperCase()}${plain.slice(1)}${open}?`;
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu)].map(({ 0: word, index }) => ({
    plain: wordsOf(word)[0] ?? "",
    start: index,
    end: index + word.length,
  }));
}

function openingOf(text: string, words: readonly Word[]): number {
  const plain = words.map(({ plain }) => plain);
  const phrases = findPhrases(plain);
  let from = 0;
  for (;;) {
    const word = plain[from];
    if (word === undefined) return from;
    const phrase = phrases
      .filter(({ at, kind, length }) => {
        if (at !== from) return false;
        return (
          AROUND.has(kind) || (BEFORE_A_COMMA.has(kind) && /^\s?[,.!)]/u.test(text.slice(words[at + length - 1]!.end)))
        );
      })
      .sort((one, other) => other.length - one.length)[0];
    if (phrase !== undefined) from += phrase.length;
    else if (PARTICLES.has(word) || isInquiryWord(word)) from++;
    else {
      const knocked = knockAt(text, words, from);
      if (knocked === 0) return from;
      from += knocked;
    }
  }
}

/** Returns the length of an introduction such as «хотела узнать, …» before a complete question. */
function knockAt(text: string, words: readonly Word[], from: number): number {
  for (let length = Math.min(LONGEST_KNOCK, words.length - from - 1); length > 0; length--) {
    const next = words[from + length]!;
    const knock = text.slice(words[from]!.start, words[from + length - 1]!.end);
    if (smallTalkOf(knock) === null) continue;
    const left = text.slice(next.start).replaceAll("?", "");
    if (askedTypes(left).length > 0 || wantOf(left) === "question") return length;
  }
  return 0;
}

function closingOf(text: string, words: readonly Word[], from: number): number {
  const phrases = findPhrases(words.map(({ plain }) => plain));
  let to = words.length;
  for (;;) {
    const phrase = phrases.find(({ at, length, kind }) => {
      if (at <= from || !AROUND.has(kind)) return false;
      // Removes a closing phrase with one extra word: «…, спасибо заранее».
      const apart = /[,.!?)]\s*$/u.test(text.slice(words[at - 1]!.end, words[at]!.start));
      return at + length === to || (apart && at + length === to - 1);
    });
    if (phrase !== undefined) to = phrase.at;
    else if (to - 1 > from && isInquiryWord(words[to - 1]!.plain) && /(?:и|йте|ите)$/u.test(words[to - 1]!.plain)) to--;
    else return to;
  }
}

function endOf(text: string, words: readonly Word[], to: number): number {
  const { end } = words[to - 1]!;
  const next = words[to]?.start ?? text.length;
  return end + (/^\s?[»”"%₽$€\])]{1,3}/u.exec(text.slice(end, next))?.[0].length ?? 0);
}
