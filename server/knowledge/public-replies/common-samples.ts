/**
 * Chooses replies of the owner that may show strangers how he writes: every word is common, and each two neighbouring words were written to
 * at least three people, so that nothing in them belongs to one contact.
 */
import { normalize, words } from "#server/knowledge/language/words/analyze.ts";
import { MIN_PEOPLE } from "#server/knowledge/messages/people.ts";
import { termKey } from "#server/knowledge/search/index-segment.ts";
import type { CommonWords } from "./common-words.ts";

export interface SampleCandidate {
  /** Id of the reply example. */
  id: number;
  /** The owner's turn; a line break separates the messages of one burst. */
  text: string;
}

/** A longer reply is about something. */
const LONGEST = 160;
const MOST_CANDIDATES = 5_000;
/** What may stand around the words: no digits, no addresses, no marks of names or links. */
const PLAIN = /^(?:[\p{L}\p{Extended_Pictographic}\s.,!?…:;()«»"'’–—-]|\u200d|\ufe0f)+$/u;
/** A capital inside a sentence begins a name. Spaces are collapsed before. */
const NAME = /[^.!?…)] ["«(]?\p{Lu}/u;

export class CommonSamples {
  readonly #isCommon: CommonWords;
  /** Key of a pair of words → the people who received it; null once they are enough. */
  readonly #receivers = new Map<number, number[] | null>();
  readonly #candidates: (SampleCandidate & { words: string[][] })[] = [];
  readonly #seen = new Set<string>();

  constructor(isCommon: CommonWords) {
    this.#isCommon = isCommon;
  }

  /** @param person the person who received the reply */
  add(id: number, person: number, text: string): void {
    const messages = text
      .split("\n")
      .map((line) => line.replace(/\s+/g, " ").trim())
      .filter((line) => line !== "");
    const found = messages.map(words);
    for (const each of found) {
      for (const pair of pairsOf(each)) {
        const before = this.#receivers.get(pair);
        if (before === undefined) this.#receivers.set(pair, [person]);
        else if (before === null || before.includes(person)) continue;
        else if (before.push(person) >= MIN_PEOPLE) this.#receivers.set(pair, null);
      }
    }
    if (text.length > LONGEST || this.#candidates.length >= MOST_CANDIDATES) return;
    if (!messages.every((line) => PLAIN.test(line) && !NAME.test(line))) return;
    if (found.flat().length === 0 || !found.flat().every(this.#isCommon)) return;
    const joined = messages.join("\n");
    const same = normalize(joined);
    if (this.#seen.has(same)) return;
    this.#seen.add(same);
    this.#candidates.push({ id, text: joined, words: found });
  }

  /** Returns the candidates of which each two neighbouring words went to enough people, in the order in which they were added. */
  found(): SampleCandidate[] {
    return this.#candidates
      .filter(({ words: found }) =>
        found.every((each) => pairsOf(each).every((pair) => this.#receivers.get(pair) === null)),
      )
      .map(({ id, text }) => ({ id, text }));
  }
}

/** Keys of the neighbouring words of a message; a single word is a pair with nothing. */
const pairsOf = (found: readonly string[]): number[] =>
  found.length === 1 ? [termKey(found[0]!)] : found.slice(1).map((word, at) => termKey(`${found[at]} ${word}`));

/** Chooses samples evenly from the list, so that they show the owner's usual lengths and occasions. */
export function chooseEvenly<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, at) => items[Math.floor(((at + 0.5) * items.length) / count)]!);
}
