import { isFirstName } from "#server/knowledge/first-names.ts";
import { asksWhoAnswers } from "./disclosure.ts";
import { type FoundPhrase, findPhrases, wordsOf } from "./lexicon.ts";

export type SmallTalkSubject = "identity" | "greeting" | "howAreYou" | "thanks" | "farewell" | "acknowledgement";

const SUBJECTS: Partial<Record<FoundPhrase["kind"], SmallTalkSubject>> = {
  greeting: "greeting",
  howAreYou: "howAreYou",
  thanks: "thanks",
  welcome: "acknowledgement",
  farewell: "farewell",
  acknowledgement: "acknowledgement",
  agreement: "acknowledgement",
  wellbeing: "acknowledgement",
};
const LIGHT = new Set(
  "а и ну да так там тут же то и вам тебе вас тебя все всем очень большое огромное за ответ помощь информацию еще раз тогда вот о ой ok you for your help the so much very again and oh".split(
    " ",
  ),
);
const ORDER: SmallTalkSubject[] = ["identity", "greeting", "howAreYou", "thanks", "farewell", "acknowledgement"];

/**
 * The subjects of a message that is nothing but small talk, in the order of answering them; null for any other message.
 * A greeting before a question is not small talk.
 */
export function smallTalkOf(message: string): SmallTalkSubject[] | null {
  if (asksWhoAnswers(message)) return ["identity"];
  const words = wordsOf(message);
  if (words.length === 0) return /\p{Extended_Pictographic}|[)(!+]/u.test(message) ? ["acknowledgement"] : null;
  if (words.length > 16) return null;
  const covered = new Array<boolean>(words.length).fill(false);
  const subjects = new Set<SmallTalkSubject>();
  // The longest phrases first: «как дела» must not leave «дела» behind, «до свидания» is not «свидания».
  for (const phrase of findPhrases(words).sort((a, b) => b.length - a.length)) {
    const subject = SUBJECTS[phrase.kind];
    if (subject === undefined) {
      if (phrase.kind === "filler" || phrase.kind === "colloquial")
        covered.fill(true, phrase.at, phrase.at + phrase.length);
      continue;
    }
    const free = covered.slice(phrase.at, phrase.at + phrase.length).every((taken) => !taken);
    if (free) subjects.add(subject);
    covered.fill(true, phrase.at, phrase.at + phrase.length);
  }
  if (subjects.size === 0) return null;
  const capitals = capitalsOf(message);
  const left = words.filter((word, i) => !covered[i] && !LIGHT.has(word) && !isFirstName(word, true));
  if (left.length > 1 || (left.length === 1 && !capitals.has(left[0]!))) return null;
  const asks = message.includes("?");
  if (asks && !subjects.has("howAreYou")) return null;
  if (subjects.size > 1) subjects.delete("acknowledgement");
  return ORDER.filter((subject) => subjects.has(subject));
}

/** Words written with a capital that start no sentence: whom the message speaks to. */
function capitalsOf(message: string): Set<string> {
  return new Set([...message.matchAll(/(?<=[\p{L},]\s+)\p{Lu}\p{L}+/gu)].flatMap((match) => wordsOf(match[0])));
}
