/**
 * Finds texts with nearly the same words: their stems, without stop words, overlap by at least 70 % (Jaccard). Case, punctuation, order,
 * endings and stop words do not count. Prefix filtering by rare stems (Bayardo, Ma, Srikant 2007) makes the work grow with the texts and
 * not with their pairs.
 */
import { stemOf, words } from "#server/knowledge/language/words/analyze.ts";

const ALIKE = 0.7;
/** Number of stems: fewer are not specific («да, конечно»); more than `MAX_STEMS` are a letter. */
const MIN_STEMS = 2;
const MAX_STEMS = 150;
const MAX_CANDIDATES = 100;

export const stemsOf = (text: string): Set<string> => new Set(words(text).flatMap((word) => stemOf(word) || []));

/** Returns a key that is equal for texts with the same stems; null for too few or too many stems. */
export function keyOf(text: string): string | null {
  const stems = stemsOf(text);
  return stems.size < MIN_STEMS || stems.size > MAX_STEMS ? null : [...stems].sort().join(" ");
}

interface Wording {
  /** Numbers of its stems, sorted rarest first by `clusters`. */
  stems: number[];
  ids: number[];
  people: Set<number>;
}

interface Alike {
  ids: number[];
  people: number;
}

/** Receives texts one by one and keeps only their stems. */
export class NearDuplicates {
  readonly #numbers = new Map<string, number>();
  readonly #wordings = new Map<string, Wording>();

  add(id: number, person: number, text: string): void {
    const key = keyOf(text);
    if (key === null) return;
    let wording = this.#wordings.get(key);
    if (wording === undefined) {
      wording = { stems: key.split(" ").map((stem) => this.#numberOf(stem)), ids: [], people: new Set() };
      this.#wordings.set(key, wording);
    }
    wording.ids.push(id);
    wording.people.add(person);
  }

  #numberOf(stem: string): number {
    let number = this.#numbers.get(stem);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(stem, number);
    }
    return number;
  }

  /** Returns clusters of at least two people, largest number of people first. May be called only once. */
  clusters(): Alike[] {
    const wordings = [...this.#wordings.values()].sort(
      (a, b) => b.people.size - a.people.size || b.ids[0]! - a.ids[0]!,
    );
    const frequency = new Uint32Array(this.#numbers.size);
    for (const { stems } of wordings) for (const stem of stems) frequency[stem]!++;
    for (const { stems } of wordings) stems.sort((a, b) => frequency[a]! - frequency[b]! || a - b);
    const byStem = this.#byRareStem(wordings);
    const taken = new Uint8Array(wordings.length);
    const found: Alike[] = [];
    wordings.forEach((wording, at) => {
      if (taken[at]) return;
      taken[at] = 1;
      const alike = [wording];
      for (const stem of prefixOf(wording)) {
        for (const other of byStem.get(stem) ?? []) {
          if (taken[other] || !areAlike(wording.stems, wordings[other]!.stems)) continue;
          taken[other] = 1;
          alike.push(wordings[other]!);
        }
      }
      const people = new Set(alike.flatMap((one) => [...one.people]));
      if (people.size > 1) found.push({ ids: alike.flatMap(({ ids }) => ids), people: people.size });
    });
    return found.sort((a, b) => b.people - a.people);
  }

  #byRareStem(wordings: readonly Wording[]): Map<number, number[]> {
    const byStem = new Map<number, number[]>();
    wordings.forEach((wording, at) => {
      for (const stem of prefixOf(wording)) {
        const among = byStem.get(stem);
        if (among === undefined) byStem.set(stem, [at]);
        else if (among.length < MAX_CANDIDATES) among.push(at);
      }
    });
    return byStem;
  }
}

/** Two similar texts share at least one of these stems. */
const prefixOf = ({ stems }: Wording) => stems.slice(0, stems.length - Math.ceil(ALIKE * stems.length) + 1);

function areAlike(one: readonly number[], other: readonly number[]): boolean {
  if (Math.min(one.length, other.length) < ALIKE * Math.max(one.length, other.length)) return false;
  const stems = new Set(one);
  const common = other.reduce((sum, stem) => sum + (stems.has(stem) ? 1 : 0), 0);
  return common >= ALIKE * (one.length + other.length - common);
}
