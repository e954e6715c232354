/**
 * Joins questions that ask the same in different words. Questions with the same stems are one subject, and different amounts in their
 * answers contradict each other. Synonyms («привезти», «доставка») or one additional word join two questions only if their answers have
 * the same amount.
 */

import { contrasts } from "#server/knowledge/question-similarity/contrast.ts";
import {
  type AskedWords,
  askedWords,
  asksInSameWords,
  beginningsOf,
  isWordInVocabulary,
  sharedWordRatio,
} from "#server/knowledge/question-similarity/question-words.ts";
import type { SubjectParts } from "./fact-of-pair.ts";

export interface GatheredFact {
  /** SHA-256 of the subject in each joined wording. */
  subjects: Buffer[];
  value: Buffer;
  /** Id of the newest pair that states it. */
  replyExampleId: number;
  question: string;
  reply: string;
  saidAt: Date;
  times: number;
  people: Set<number>;
}

/** Questions in the same words, with their answers by value (`FoundFact`). */
export interface Subject extends SubjectParts {
  values: Map<string, GatheredFact>;
}

/** Share of the longer question's words that both must have. */
const HALF = 0.5;
/** Minimum price in roubles; a smaller bare number is unlikely to be a price. */
const MIN_PRICE = 20;
const MAX_PER_AMOUNT = 100;

/** Joins two mentions of one fact; the newer wording is kept. */
export function withFact(one: GatheredFact, other: GatheredFact): GatheredFact {
  return {
    ...(other.saidAt > one.saidAt ? other : one),
    subjects: [...one.subjects, ...other.subjects.filter((hash) => !one.subjects.some((known) => known.equals(hash)))],
    times: one.times + other.times,
    people: new Set([...one.people, ...other.people]),
  };
}

interface Asked extends AskedWords {
  values: Map<string, GatheredFact>;
}

/**
 * Returns the answers of each joined subject. Linear in the number of subjects, except among those that share a word prefix or an amount.
 */
export function joinSubjects(subjects: readonly Subject[]): GatheredFact[][] {
  const comparable = Map.groupBy(subjects, (subject) => JSON.stringify([familyOf(subject), subject.numbers]));
  return [...comparable.values()].flatMap((those) => {
    const joined = joinSameQuestions(those.map(askedOf));
    joinEqualAmounts(joined);
    return joined.flatMap(({ values }) => (values.size === 0 ? [] : [[...values.values()]]));
  });
}

/** A bare amount may also be a price: «Сколько доставка?» — «300». */
function familyOf({ kind, values }: Subject): string {
  const sums = [...values.keys()].every((value) => amountsIn(value).every((amount) => Number(amount) >= MIN_PRICE));
  return kind === "amount" && sums ? "price" : kind;
}

const amountsIn = (value: string) => JSON.parse(value) as string[];

function askedOf({ values }: Subject): Asked {
  const newest = [...values.values()].reduce((one, other) => (other.saidAt > one.saidAt ? other : one));
  return { ...askedWords(newest.question), values };
}

function joinSameQuestions(all: readonly Asked[]): Asked[] {
  const kept: Asked[] = [];
  const byBeginning = new Map<string, Asked[]>();
  for (const asked of all) {
    const beginnings = beginningsOf(asked);
    const near = new Set(beginnings.flatMap((beginning) => byBeginning.get(beginning) ?? []));
    const known = [...near].find((one) => asksInSameWords(one, asked));
    if (known === undefined) {
      kept.push(asked);
      for (const beginning of beginnings) {
        const those = byBeginning.get(beginning);
        if (those === undefined) byBeginning.set(beginning, [asked]);
        else those.push(asked);
      }
      continue;
    }
    for (const [value, fact] of asked.values) put(known, value, fact);
  }
  return kept;
}

function put({ values }: Asked, value: string, fact: GatheredFact): void {
  const before = values.get(value);
  values.set(value, before === undefined ? fact : withFact(before, fact));
}

/** Keeps an amount with the question that it answers most often. */
function joinEqualAmounts(all: readonly Asked[]): void {
  const byValue = new Map<string, Asked[]>();
  for (const asked of all) {
    for (const value of asked.values.keys()) {
      const those = byValue.get(value);
      if (those === undefined) byValue.set(value, [asked]);
      else those.push(asked);
    }
  }
  for (const [value, found] of byValue) {
    if (found.length < 2 || !amountsIn(value).some((amount) => /\d/.test(amount))) continue;
    const those = found.slice(0, MAX_PER_AMOUNT);
    const oftenFirst = those.toSorted((one, other) => other.values.get(value)!.times - one.values.get(value)!.times);
    const kept: Asked[] = [];
    for (const asked of oftenFirst) {
      const known = kept.find((one) => containsQuestion(one, asked));
      if (known === undefined) {
        kept.push(asked);
        continue;
      }
      put(known, value, asked.values.get(value)!);
      asked.values.delete(value);
    }
  }
}

function containsQuestion(one: Asked, other: Asked): boolean {
  if (contrasts(one.bounds, other.bounds)) return false;
  const [less, more] = one.words.length <= other.words.length ? [one, other] : [other, one];
  return (
    less.words.length > 0 &&
    sharedWordRatio(less, more, isWordInVocabulary) === 1 &&
    sharedWordRatio(more, less, isWordInVocabulary) >= HALF
  );
}
