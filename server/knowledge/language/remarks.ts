/** Recognises messages that need a reaction rather than an answer: thanks with a reason, joy, a long farewell, a rhetorical complaint. */

import { askedTypes } from "./question/answer-type.ts";
import { wantOf } from "./question/question.ts";
import { contentWords, correctSpelling } from "./question/question-parts.ts";
import { splitSentences } from "./sentences.ts";
import { slotsOf } from "./slots.ts";
import { howAreYouIn, type SmallTalkSubject } from "./small-talk.ts";
import { type FoundPhrase, findPhrases, wordsOf } from "./words/lexicon.ts";

const MAX_WORDS = 25;
const BESIDE = { greeting: 2, howAreYou: 4 } as const;
const NEGATIONS = new Set(["не", "нет", "ни", "но", "нельзя", "not", "no", "but", "never"]);
/** First-person verbs such as «беру», «приедем», which may be an order. Nouns may have the same ending («за доставку»). */
const OWN_DEED = /^\p{L}{2,}(?:[ую]|[её]м|им)$/u;
const SMILE = /(?:\)\)|:\)|:-\)|\p{Extended_Pictographic}\p{M}{0,3})\s{0,3}$/u;
export const SAD_FACE = /[😢😭😞😔😟🙁☹😠😡🤬💔😱🤮🤢💀🖕😿😣😖😩😤👎]/u;
const WAITS = /^(?:по|до|подо)?жд(?:у|ем|ём|ать|усь|емся|ёмся)$/u;

/**
 * Returns the small talk that fits as a reaction. Null if the remark concerns the business or contains something for the owner: a number,
 * a day, a name, a negation or the sender's plan.
 */
export function remarkOf(message: string): SmallTalkSubject | null {
  const words = wordsOf(message);
  if (words.length === 0 || words.length > MAX_WORDS || SAD_FACE.test(message)) return null;
  if (askedTypes(correctSpelling(message)).length > 0 || /\d/.test(message)) return null;
  const kinds = new Set(findPhrases(words).map(({ kind }) => kind));
  const left = contentLeft(message);
  if (howAreYouIn(words) && left <= BESIDE.howAreYou) return "howAreYou";
  if (message.includes("?") || words.some((word) => NEGATIONS.has(word))) return null;
  if (slotsOf(message).some(({ kind }) => kind !== "person" && kind !== "name") || wantOf(message) !== "statement")
    return null;
  // A farewell at the end decides, because people first mention where they are going.
  if (endsWith(words, "farewell")) return "farewell";
  if (agrees(message)) return null;
  if (kinds.has("thanks")) return "thanks";
  if (kinds.has("greeting") && left <= BESIDE.greeting) return "greeting";
  if (words.length <= 4 && words.some((word) => WAITS.test(word))) return "waiting";
  return SMILE.test(message) ? "joy" : null;
}

function contentLeft(message: string): number {
  const words = wordsOf(message);
  const covered = new Set(findPhrases(words).flatMap(({ at, length }) => words.slice(at, at + length)));
  return contentWords(message).filter((word) => !covered.has(word)).length;
}

const endsWith = (words: string[], kind: FoundPhrase["kind"]) =>
  findPhrases(words).some((phrase) => phrase.kind === kind && phrase.at + phrase.length === words.length);

function agrees(message: string): boolean {
  const words = wordsOf(message.replace(/(?<!\p{L})за\s+[^,.!?\n]{1,80}/giu, " "));
  const covered = findPhrases(words).flatMap(({ at, length }) => words.slice(at, at + length));
  return words.some((word) => OWN_DEED.test(word) && !covered.includes(word) && !WAITS.test(word));
}

/**
 * Whether a message with a question mark is a complaint and no request for information: «вы издеваетесь? …!!!». It still counts when a
 * question follows.
 * @param grave the caller's test for sad or serious texts
 */
export function isComplaint(message: string, grave: (text: string) => boolean): boolean {
  const sentences = splitSentences(message);
  const told = sentences.filter((sentence) => !/\?!{0,3}$/.test(sentence) && contentWords(sentence).length >= 2);
  if (told.length === 0) return false;
  if (told.some(grave)) return true;
  const asked = sentences.filter((sentence) => !told.includes(sentence));
  const asksNothing = asked.every(
    (sentence) => askedTypes(correctSpelling(sentence)).length === 0 && !asksWithAWord(sentence),
  );
  const heated = /!!|\?!|!\?|\?\?/.test(message) || SAD_FACE.test(message);
  return heated && asksNothing && !SMILE.test(message) && remarkOf(told.join(" ")) === null;
}

/** Whether the words make it a question (an interrogative, «ли», «можно»), not only the question mark. */
const asksWithAWord = (sentence: string): boolean => wantOf(sentence.replaceAll("?", "")) === "question";
