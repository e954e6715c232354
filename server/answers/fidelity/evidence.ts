/** The data for measuring fidelity, how much of it is needed, and how the other people are split. */
import { ENOUGH_TO_BE_SURE, MIN_TO_MEASURE } from "#contract/quality.ts";
import { shuffled } from "./verifier.ts";

/** All texts are normalised (normalise.ts). */
export interface Evidence {
  /** Messages of the owner that the measured twin does not know, oldest first. */
  own: readonly string[];
  /** Messages of the other people in the owner's chats, by person; never data of other users. */
  people: ReadonlyMap<string, readonly string[]>;
  /** The owner's true answers in the newest sessions, known to neither twin nor verifier. */
  held: readonly string[];
  /** Messages of the owner that the twin knows; they show whether its replies are pieced together from them. */
  memory: readonly string[];
}

export function missingEvidence({ own, people, held }: Omit<Evidence, "memory">): "own" | "held" | "people" | null {
  if (own.length < MIN_TO_MEASURE.own) return "own";
  if (held.length < MIN_TO_MEASURE.held) return "held";
  return knownPeople([...people.values()]).length < MIN_TO_MEASURE.people ? "people" : null;
}

/**
 * Returns the people who serve as strangers, in order: those with enough messages or, if they are too few, also the others who wrote
 * most.
 */
export function knownPeople<Texts extends readonly string[]>(people: readonly Texts[]): Texts[] {
  const known = people.filter((texts) => texts.length >= ENOUGH_TO_BE_SURE.ofAPerson);
  if (known.length >= ENOUGH_TO_BE_SURE.people) return known;
  const best = people
    .filter((texts) => texts.length >= MIN_TO_MEASURE.ofAPerson)
    .toSorted((a, b) => b.length - a.length);
  return best.slice(0, ENOUGH_TO_BE_SURE.people - 1);
}

/** Number of people, and of messages each, beyond which neither calibration nor the strangers' floor changes. */
const UNSEEN_PEOPLE = 40;
const UNSEEN_MESSAGES = 400;

/** The verifier trains on `background`; `unseen` serves calibration and the strangers' floor. */
export interface PeopleSplit {
  background: string[];
  unseen: string[][];
}

/** With enough people: one partition with a third of the well-known people unseen. With fewer: several, in which each is unseen once. */
export function splitPeople(people: Evidence["people"], random: () => number): PeopleSplit[] {
  const sorted = [...people].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, texts]) => [...texts]);
  const known = shuffled(knownPeople(sorted), random);
  const third = known.slice(0, Math.min(UNSEEN_PEOPLE, Math.ceil(known.length / 3)));
  const groups = known.length >= ENOUGH_TO_BE_SURE.people ? [third] : known.map((person) => [person]);
  return groups.map((unseen) => ({
    background: sorted.filter((texts) => !unseen.includes(texts)).flat(),
    unseen: unseen.map((texts) => shuffled(texts, random).slice(0, UNSEEN_MESSAGES)),
  }));
}

export function isRough({ own, people, held }: Omit<Evidence, "memory">): boolean {
  const { own: minOwn, held: minHeld, people: minPeople } = ENOUGH_TO_BE_SURE;
  return own.length < minOwn || held.length < minHeld || knownPeople([...people.values()]).length < minPeople;
}
