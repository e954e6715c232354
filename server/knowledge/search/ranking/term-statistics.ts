import { type Field, findTerm, type Segment, termKey } from "../index-segment.ts";
import { inverseFrequency } from "./bm25.ts";
import { firstPosting } from "./postings.ts";
import type { FieldName, UnitRange } from "./term.ts";

interface CountedTerm {
  key: number;
  /** Inverse document frequency for BM25. An unknown term has one too: it counts against the match. */
  idf: number;
  /** The term's index in each segment, in segment order; −1 where it is missing. */
  numbers: readonly number[];
}

interface View {
  segment: Segment;
  ranges: readonly UnitRange[];
  whole: boolean;
  units: number;
  length: Record<FieldName, number>;
}

/**
 * Term frequencies over only the units that the asker may see, so that hidden units cannot influence a confidence. Terms are cached,
 * because the searches for one message share nearly all of them.
 */
export class TermStatistics {
  readonly segments: readonly Segment[];
  readonly units: number;
  readonly #views: readonly View[];
  readonly #known: Record<FieldName, Map<string, CountedTerm>> = { stems: new Map(), grams: new Map() };

  constructor(segments: readonly Segment[], allows: (audience: number) => boolean = () => true) {
    this.segments = segments;
    this.#views = segments.map((segment) => viewOf(segment, allows));
    this.units = this.#views.reduce((sum, view) => sum + view.units, 0);
  }

  term(name: FieldName, text: string): CountedTerm {
    const known = this.#known[name].get(text);
    if (known !== undefined) return known;
    const key = termKey(text);
    let units = 0;
    const numbers = this.#views.map((view) => {
      const number = findTerm(view.segment[name], key);
      for (const { from, to } of postingsOf(view, name, number)) units += to - from;
      return number;
    });
    const term = { key, idf: inverseFrequency(this.units, units), numbers };
    this.#known[name].set(text, term);
    return term;
  }

  occurrences(name: FieldName, text: string): number {
    let occurrences = 0;
    this.term(name, text).numbers.forEach((number, at) => {
      const view = this.#views[at]!;
      const field = view.segment[name];
      if (number >= 0 && view.whole) occurrences += occurrencesIn(field)[number]!;
      else
        for (const { from, to } of postingsOf(view, name, number))
          for (let posting = from; posting < to; posting++) occurrences += field.counts[posting]!;
    });
    return occurrences;
  }

  length(name: FieldName): number {
    return this.#views.reduce((sum, view) => sum + view.length[name], 0);
  }

  averageLength(kind: string, name: FieldName): number | null {
    const ofKind = this.#views.filter(({ segment }) => segment.kind === kind);
    const units = ofKind.reduce((sum, view) => sum + view.units, 0);
    return units === 0 ? null : ofKind.reduce((sum, view) => sum + view.length[name], 0) / units;
  }

  /** Returns 0..1; 1 for an unknown stem. */
  rarity(stem: string): number {
    return this.term("stems", stem).idf / inverseFrequency(this.units, 0);
  }
}

/** Returns the ranges of a segment's units that the asker may see, ascending. */
export function allowedRanges(segment: Segment, allows: (audience: number) => boolean): UnitRange[] {
  const ranges: UnitRange[] = [];
  segment.audiences.forEach((audience, at) => {
    if (!allows(audience)) return;
    const from = segment.audienceStarts[at]!;
    const to = segment.audienceStarts[at + 1]!;
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  });
  return ranges;
}

function viewOf(segment: Segment, allows: (audience: number) => boolean): View {
  const ranges = allowedRanges(segment, allows);
  const units = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const whole = units === segment.ids.length;
  const length = (name: FieldName) => {
    const { lengths, totalLength } = segment[name];
    if (whole) return totalLength;
    let sum = 0;
    for (const { from, to } of ranges) for (let unit = from; unit < to; unit++) sum += lengths[unit]!;
    return sum;
  };
  return { segment, ranges, whole, units, length: { stems: length("stems"), grams: length("grams") } };
}

function postingsOf({ segment, ranges, whole }: View, name: FieldName, number: number): readonly UnitRange[] {
  if (number < 0) return [];
  const { starts, units } = segment[name];
  const first = starts[number]!;
  const end = starts[number + 1]!;
  if (whole) return [{ from: first, to: end }];
  return ranges.map((range) => {
    const from = firstPosting(units, first, end, range.from);
    return { from, to: firstPosting(units, from, end, range.to) };
  });
}

const occurrencesOf = new WeakMap<Field, Uint32Array>();

/** Computed once per segment in memory. */
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
