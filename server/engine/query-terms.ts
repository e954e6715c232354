import { gramsOf, stemOf, words } from "./analyze.ts";
import { findTerm, type Segment, termKey } from "./index-segment.ts";

/** BM25's parameters: how fast repeated terms saturate, and how much a unit's length counts. */
const k1 = 1.2;
const b = 0.75;

/** BM25's weight of a term that occurs `count` times in a unit of `length` terms, in 0..1; multiply by the idf. */
export function saturation(count: number, length: number, slope: number): number {
  return count / (count + flat + slope * length);
}

/** The part of BM25's denominator that does not depend on length: k1·(1 − b). */
export const flat = k1 * (1 - b);

/** The part that does, per term of length: k1·b / average length. */
export function lengthSlope(averageLength: number): number {
  return (k1 * b) / averageLength;
}

/** The idf of BM25 as Lucene has it: never negative. */
export function inverseFrequency(units: number, unitsWithTerm: number): number {
  return Math.log(1 + (units - unitsWithTerm + 0.5) / (unitsWithTerm + 0.5));
}

/** What a query asks for: distinct stems without stop words and distinct character 4-grams. */
export interface Query {
  stems: string[];
  grams: string[];
}

export function parseQuery(text: string): Query {
  const stems = new Set<string>();
  const grams = new Set<string>();
  for (const word of words(text)) {
    const stem = stemOf(word);
    if (stem) stems.add(stem);
    for (const gram of gramsOf(word)) grams.add(gram);
  }
  return { stems: [...stems], grams: [...grams] };
}

export type FieldName = "stems" | "grams";

/** A searched segment's place in the numbering of all units, what of it may be seen, and how length counts in it. */
export interface Place {
  segment: Segment;
  base: number;
  ranges: { from: number; to: number }[];
  /** The slopes of unit length; the average is taken over the units of one kind. */
  slopes: Record<FieldName, number>;
}

/** A term's postings in one segment, of one range of units the asker may see. */
export interface Span {
  place: Place;
  from: number;
  to: number;
}

export interface Term {
  idf: number;
  spans: Span[];
  postings: number;
  /** The most this term can add to any unit. */
  most: number;
}

export function placeSegments(
  segments: readonly Segment[],
  statistics: readonly Segment[],
  allows: (audience: number) => boolean,
): Place[] {
  const slopesByKind = new Map<string, Place["slopes"]>();
  let base = 0;
  return segments.map((segment) => {
    const { kind } = segment;
    let slopes = slopesByKind.get(kind);
    if (!slopes) {
      const ofKind = statistics.filter((other) => other.kind === kind);
      const slope = (name: FieldName) => lengthSlope(averageLength(ofKind.length > 0 ? ofKind : [segment], name));
      slopes = { stems: slope("stems"), grams: slope("grams") };
      slopesByKind.set(kind, slopes);
    }
    const place = { segment, base, ranges: allowedRanges(segment, allows), slopes };
    base += segment.ids.length;
    return place;
  });
}

function averageLength(segments: readonly Segment[], name: FieldName): number {
  const length = segments.reduce((sum, segment) => sum + segment[name].totalLength, 0);
  return length > 0 ? length / countUnits(segments) : 1;
}

function countUnits(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segment.ids.length, 0);
}

function allowedRanges(segment: Segment, allows: (audience: number) => boolean): Place["ranges"] {
  const ranges: Place["ranges"] = [];
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

/** The terms of one field, rarest first. A term that occurs nowhere has an idf too: it counts against the match. */
export function findTerms(
  name: FieldName,
  texts: readonly string[],
  places: readonly Place[],
  statistics: readonly Segment[],
): Term[] {
  const units = countUnits(statistics);
  const terms = texts.map((text) => {
    const key = termKey(text);
    let unitsWithTerm = 0;
    for (const segment of statistics) {
      const field = segment[name];
      const at = findTerm(field, key);
      if (at >= 0) unitsWithTerm += field.starts[at + 1]! - field.starts[at]!;
    }
    const term: Term = { idf: inverseFrequency(units, unitsWithTerm), spans: [], postings: 0, most: 0 };
    for (const place of places) addSpans(term, name, key, place);
    return term;
  });
  return terms.sort((one, other) => other.idf - one.idf);
}

function addSpans(term: Term, name: FieldName, key: number, place: Place): void {
  const field = place.segment[name];
  const at = findTerm(field, key);
  if (at < 0) return;
  const first = field.starts[at]!;
  const end = field.starts[at + 1]!;
  const before = term.spans.length;
  for (const range of place.ranges) {
    const all = range.from === 0 && range.to === place.segment.ids.length;
    const from = all ? first : firstPosting(field.units, first, end, range.from);
    const to = all ? end : firstPosting(field.units, from, end, range.to);
    if (from === to) continue;
    term.spans.push({ place, from, to });
    term.postings += to - from;
  }
  if (term.spans.length === before) return;
  const peak = saturation(field.peakCounts[at]!, field.shortest[at]!, place.slopes[name]);
  term.most = Math.max(term.most, term.idf * peak);
}

/** The first posting in [from, to) whose unit is `unit` or later. */
export function firstPosting(units: Uint16Array, from: number, to: number, unit: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (units[middle]! < unit) low = middle + 1;
    else high = middle;
  }
  return low;
}
