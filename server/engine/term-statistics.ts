import { inverseFrequency } from "./bm25.ts";
import { type Field, findTerm, type Segment, termKey } from "./index-segment.ts";

export type FieldName = "stems" | "grams";

/** A term in the segments of its statistics. */
export interface CountedTerm {
  key: number;
  /** Of BM25. A term that occurs nowhere has one too: it counts against the match. */
  idf: number;
  /** Its number in each segment, in their order; −1 where it does not occur. */
  numbers: readonly number[];
}

/**
 * The segments that word frequencies are counted in. Each term is looked up once, however many searches ask for it: those of one message
 * ask for nearly the same.
 */
export class TermStatistics {
  readonly segments: readonly Segment[];
  /** In all the segments together. */
  readonly units: number;
  readonly #known: Record<FieldName, Map<string, CountedTerm>> = { stems: new Map(), grams: new Map() };

  constructor(segments: readonly Segment[]) {
    this.segments = segments;
    this.units = segments.reduce((sum, segment) => sum + segment.ids.length, 0);
  }

  term(name: FieldName, text: string): CountedTerm {
    const known = this.#known[name].get(text);
    if (known !== undefined) return known;
    const key = termKey(text);
    let units = 0;
    const numbers = this.segments.map((segment) => {
      const field = segment[name];
      const number = findTerm(field, key);
      if (number >= 0) units += field.starts[number + 1]! - field.starts[number]!;
      return number;
    });
    const term = { key, idf: inverseFrequency(this.units, units), numbers };
    this.#known[name].set(text, term);
    return term;
  }

  /** How often the term occurs, several times in one unit included. */
  occurrences(name: FieldName, text: string): number {
    let occurrences = 0;
    this.term(name, text).numbers.forEach((number, at) => {
      if (number >= 0) occurrences += occurrencesIn(this.segments[at]![name])[number]!;
    });
    return occurrences;
  }

  /** 0..1; 1 for a stem that occurs nowhere. */
  rarity(stem: string): number {
    return this.term("stems", stem).idf / inverseFrequency(this.units, 0);
  }
}

const occurrencesOf = new WeakMap<Field, Uint32Array>();

/** How often each term of the field occurs in all its units: added up once for each segment in memory. */
function occurrencesIn(field: Field): Uint32Array {
  let occurrences = occurrencesOf.get(field);
  if (occurrences === undefined) {
    const { starts, counts } = field;
    occurrences = new Uint32Array(field.keys.length);
    for (let term = 0; term < occurrences.length; term++) {
      for (let posting = starts[term]!; posting < starts[term + 1]!; posting++) occurrences[term]! += counts[posting]!;
    }
    occurrencesOf.set(field, occurrences);
  }
  return occurrences;
}
