/** A fact that one pair of a question and the owner's reply holds: what it is about, what it says, in words without anybody's data. */

import type { ContactNames } from "#server/knowledge/contact-names.ts";
import { splitSentences } from "#server/knowledge/sentences.ts";
import { stemOf } from "#server/language/analyze.ts";
import { isTypeWord } from "#server/language/answer-type.ts";
import { leansOn } from "#server/language/contextual-query.ts";
import { wantOf } from "#server/language/question.ts";
import { contentWords, joinedNumbers, spelled } from "#server/language/question-parts.ts";
import { masked, personalSpans } from "./personal-data.ts";
import { type FactKind, generalQuestion, toldIn } from "./telling.ts";

export interface FoundFact {
  question: string;
  reply: string;
  /** Equal for questions that ask the same. */
  subject: string;
  /** Equal for answers that say the same. */
  value: string;
}

const LONGEST = { question: 300, reply: 500 } as const;
/** These are the business's own: «где вы?» names nothing and yet asks something certain. */
const WITHOUT_SUBJECT: readonly FactKind[] = ["hours", "days", "place"];
const GREETING =
  /^(?:здравствуй(?:те)?|добр(?:ый|ое|ой|ого)\s(?:день|вечер|утро|ночи|дня)|привет(?:ик|ствую)?|доброго\sвремени\sсуток)[\s,.!)]{1,4}/iu;
const CALLED = /^\[имя\][,!]?\s?|,\s?\[имя\](?=[.!?)]{0,3}$)/gu;

/** @param before what the same person asked just before, in the same talk */
export function factOf(
  { incoming, reply, before }: { incoming: string; reply: string; before: string | null },
  names: ContactNames,
): FoundFact | null {
  if (incoming.length > LONGEST.question * 2 || reply.length > LONGEST.reply * 2) return null;
  const asking = askingOf(incoming);
  if (asking === "" || asking.length > LONGEST.question) return null;
  const leant =
    before === null || before.length > LONGEST.question ? null : leansOn([{ role: "user", content: before }], asking);
  const question = leant === null ? asking : joined(askingOf(leant), asking);
  const types = generalQuestion(question);
  if (types === null) return null;
  const told = toldIn(question, types, reply);
  if (told === null) return null;
  const shownQuestion = withoutPeople(question, names, true);
  // Where the owner himself is is what was asked; any other address is the asker's.
  const shownReply = told.sentences.map((sentence) => withoutPeople(sentence, names, told.kind !== "place")).join(" ");
  if (shownReply.length > LONGEST.reply) return null;
  const subject = subjectOf(told.kind, shownQuestion, shownReply);
  return subject === null
    ? null
    : { question: shownQuestion, reply: shownReply, subject, value: saidIn(shownQuestion, shownReply) };
}

/** The sentences that ask; all, where none of them does by itself. */
function askingOf(incoming: string): string {
  const sentences = incoming.split("\n").flatMap(splitSentences);
  const asking = sentences.filter((sentence) => sentence.includes("?") || wantOf(sentence) === "question");
  return (asking.length > 0 ? asking : sentences).join(" ").replace(GREETING, "").trim();
}

const COUNTED = /(\d{1,6}(?:[.,]\d{1,3})?)\s?(\p{L}{1,12})/gu;

/** «Сколько стоит торт на 3 кг?» and «А на 2 кг?»: the same question about another amount. */
function joined(before: string, asking: string): string {
  const [amounts, others] = [[...before.matchAll(COUNTED)], [...asking.matchAll(COUNTED)]];
  const [known, now] = [amounts[0], others[0]];
  const same =
    amounts.length === 1 && others.length === 1 && stemOf(known![2]!.toLowerCase()) === stemOf(now![2]!.toLowerCase());
  return same ? before.replace(known![0], now![0]) : `${before} ${asking}`;
}

const withoutPeople = (text: string, names: ContactNames, addresses: boolean): string =>
  masked(text, personalSpans(text, names, { addresses }))
    .replace(CALLED, "")
    .trim();

const MASKED = /\[\p{L}{3,8}\]/gu;

function stemsIn(text: string): string[] {
  const words = contentWords(text.replace(MASKED, " ")).filter((word) => !isTypeWord(word) && !/\d/.test(word));
  return [...new Set(words.map((word) => stemOf(word)).filter((stem) => stem !== ""))].sort();
}

const numbersIn = (text: string): string[] => joinedNumbers(spelled(text)).match(/\d+(?:[.,:]\d+)?/g) ?? [];

/** null where neither the question nor the answer says what it is about. */
function subjectOf(kind: FactKind, question: string, reply: string): string | null {
  let about = stemsIn(question);
  if (about.length === 0 && !WITHOUT_SUBJECT.includes(kind)) about = stemsIn(reply);
  if (about.length === 0 && !WITHOUT_SUBJECT.includes(kind)) return null;
  return JSON.stringify([kind, about, [...new Set(numbersIn(question))].sort()]);
}

/** Its numbers; the words where it has none. */
function saidIn(question: string, reply: string): string {
  const asked = new Set(numbersIn(question));
  const numbers = [...new Set(numbersIn(reply))].filter((number) => !asked.has(number)).sort();
  return JSON.stringify(numbers.length > 0 ? numbers : stemsIn(reply));
}
