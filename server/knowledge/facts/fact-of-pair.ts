/** Extracts the facts of one reply pair as questions and answers without personal data. */

import { isTypeWord } from "#server/knowledge/language/question/answer-type.ts";
import { bareQuestion } from "#server/knowledge/language/question/bare-question.ts";
import { contentWords, correctSpelling, joinedNumbers } from "#server/knowledge/language/question/question-parts.ts";
import { type Quantity, quantitiesIn, sameQuantity } from "#server/knowledge/language/statements/quantities.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import type { ContactNames } from "#server/knowledge/messages/contact-names.ts";
import { findAskedQuestions } from "./asked-questions.ts";
import { type FactKind, findStatedFacts, type StatedFact } from "./detect-fact.ts";
import { masked, personalSpans } from "./personal-data.ts";

export interface FoundFact {
  question: string;
  reply: string;
  /** `subjectParts` of the question as one string; equal for questions that ask the same in the same words. */
  subject: string;
  /** Normalised answer; equal for answers with the same meaning. */
  value: string;
}

export interface SubjectParts {
  kind: FactKind;
  stems: string[];
  numbers: string[];
}

const LONGEST = { question: 300, reply: 500 } as const;
/** Kinds that concern the business itself, so that «где вы?» is specific without a subject. */
const WITHOUT_SUBJECT: readonly FactKind[] = ["hours", "days", "place"];
const CALLED = /^\[имя\][,!]?\s?|,\s?\[имя\](?=[.!?)]{0,3}$)/gu;

/** Returns one fact per answered question. @param before the same person's preceding message in this conversation */
export function factsOf(
  { incoming, reply, before }: { incoming: string; reply: string; before: string | null },
  names: ContactNames,
): FoundFact[] {
  if (incoming.length > LONGEST.question * 2 || reply.length > LONGEST.reply * 2) return [];
  const asked = findAskedQuestions(incoming, before !== null && before.length > LONGEST.question ? null : before);
  const told = findStatedFacts(asked, reply);
  return asked.flatMap(({ text }, at) => {
    const fact = told[at] === null ? null : factOf(text, told[at]!, names);
    return fact === null ? [] : [fact];
  });
}

function factOf(text: string, told: StatedFact, names: ContactNames): FoundFact | null {
  const nameless = withoutPeople(text, names, true);
  // A name may precede the question: «Анна, добрый вечер, сколько…».
  const question = nameless.startsWith("[") ? nameless : bareQuestion(nameless);
  // An address stays only when the question asks for the owner's place; any other one belongs to the asker.
  const reply = asOneText(told.sentences.map((sentence) => withoutPeople(sentence, names, told.kind !== "place")));
  if (RECKONED.test(reply)) return null;
  if (question === "" || question.length > LONGEST.question || reply.length > LONGEST.reply) return null;
  const subject = subjectOf(told.kind, question, reply);
  return subject === null ? null : { question, reply, subject, value: saidIn(told.kind, question, reply) };
}

/** Consecutive messages often have no full stop between them. */
const asOneText = (sentences: readonly string[]): string =>
  sentences
    .map((sentence, at) => {
      const next = sentences[at + 1];
      return next !== undefined && /[\p{L}\p{N}\p{Sc}%)»]$/u.test(sentence) && /^\p{Lu}/u.test(next)
        ? `${sentence}.`
        : sentence;
    })
    .join(" ");

/** A sum calculated for one asker does not hold for others: «У вас 6 метров, итого 2520». */
const RECKONED =
  /(?<!\p{L})(?:итого|в сумме|(?:у|с) (?:вас|тебя)(?: \p{L}{1,20}){0,2} \d|(?:вам|тебе)(?: \p{L}{1,20}){0,2} \d|(?:вышло|выходит|выйдет|получается|получится)(?: \p{L}{1,20}){0,2} \d)/iu;

const withoutPeople = (text: string, names: ContactNames, addresses: boolean): string =>
  masked(text, personalSpans(text, names, { addresses }))
    .replace(CALLED, "")
    .trim();

const MASKED = /\[\p{L}{3,8}\]/gu;

function stemsIn(text: string): string[] {
  const words = contentWords(text.replace(MASKED, " ")).filter((word) => !isTypeWord(word) && !/\d/.test(word));
  return [...new Set(words.map((word) => stemOf(word)).filter((stem) => stem !== ""))].sort();
}

const numbersIn = (text: string): string[] => joinedNumbers(correctSpelling(text)).match(/\d+(?:[.,:]\d+)?/g) ?? [];

function subjectOf(kind: FactKind, question: string, reply: string): string | null {
  let about = stemsIn(question);
  if (about.length === 0 && !WITHOUT_SUBJECT.includes(kind)) about = stemsIn(reply);
  if (about.length === 0 && !WITHOUT_SUBJECT.includes(kind)) return null;
  return JSON.stringify([kind, about, [...new Set(numbersIn(question))].sort()]);
}

export function subjectParts(subject: string): SubjectParts {
  const [kind, stems, numbers] = JSON.parse(subject) as [FactKind, string[], string[]];
  return { kind, stems, numbers };
}

/** Returns the amounts of the answer in a uniform notation, or its words when it has none. */
function saidIn(kind: FactKind, question: string, reply: string): string {
  const asked = quantitiesIn(question);
  const named = quantitiesIn(reply.replace(MASKED, " ")).filter(
    (one) => /\d/.test(one.text) || one.unit !== null || one.value >= MIN_WRITTEN_NUMBER,
  );
  const told = named.filter((one) => !asked.some((other) => sameQuantity(one, other)));
  // The value of a price is its money: in «3 кг — 7500» the 7500.
  const sums = told.filter(({ unit }) => unit === null || unit.dimension === "money");
  const telling = kind === "price" && sums.length > 0 ? sums : told;
  const amounts = [...new Set(telling.map(amountOf))].sort();
  return JSON.stringify(amounts.length > 0 ? amounts : stemsIn(reply));
}

/** Number words below this, as in «один раз», do not count as amounts. */
const MIN_WRITTEN_NUMBER = 2;

const amountOf = ({ value, unit }: Quantity): string =>
  unit === null || unit.dimension === "money" ? String(value) : `${unit.base} ${unit.dimension}`;
