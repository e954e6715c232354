/** Finds recurring replies, and questions that the owner may be asked about. Runs in a worker thread when the history is long. */
import { NearDuplicates } from "./near-duplicates.ts";
import { type CandidatePair, type Recurring, recurringOf } from "./recurring.ts";

/** A page of pairs as a few large arrays, which are transferred between threads faster than many objects. */
export interface PairPage {
  ids: number[];
  people: number[];
  incoming: string[];
  replies: string[];
}

export interface PairSets {
  said: { ids: number[]; people: number }[];
  asked: { ids: number[]; people: number }[];
}

const MAX_SETS = 500;
const MAX_PAIRS = 60;
/** Maximum number of one person's pairs in a set; more add nothing. */
const MAX_PER_PERSON = 2;

export class Detector {
  #replies = new NearDuplicates();
  #questions = new NearDuplicates();
  readonly #personOf = new Map<number, number>();

  /** Pages must start with the newest pairs. */
  add({ ids, people, incoming, replies }: PairPage): void {
    ids.forEach((id, at) => {
      const person = people[at]!;
      this.#personOf.set(id, person);
      this.#replies.add(id, person, replies[at]!);
      this.#questions.add(id, person, incoming[at]!);
    });
  }

  choose(): PairSets {
    const said = this.#few(this.#replies);
    const asked = this.#few(this.#questions);
    this.#replies = new NearDuplicates();
    this.#questions = new NearDuplicates();
    this.#personOf.clear();
    return { said, asked };
  }

  #few(texts: NearDuplicates): PairSets["said"] {
    return texts
      .clusters()
      .slice(0, MAX_SETS)
      .map(({ ids, people }) => ({ people, ids: this.#spread(ids) }));
  }

  #spread(ids: readonly number[]): number[] {
    const taken = new Map<number, number>();
    const kept: number[] = [];
    for (const id of ids.toSorted((a, b) => b - a)) {
      const person = this.#personOf.get(id)!;
      const before = taken.get(person) ?? 0;
      if (before >= MAX_PER_PERSON || kept.length >= MAX_PAIRS) continue;
      taken.set(person, before + 1);
      kept.push(id);
    }
    return kept;
  }

  /** @param sets sets of pairs with similar replies */
  describe(sets: readonly (readonly CandidatePair[])[]): Recurring[] {
    return sets.flatMap((set) => recurringOf(set));
  }
}
