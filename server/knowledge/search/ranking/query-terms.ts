import { gramsOf, stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { findTerm, type Segment } from "../index-segment.ts";
import { lengthSlope, saturation } from "./bm25.ts";
import { firstPosting } from "./postings.ts";
import type { FieldName, SearchedSegment, Term } from "./term.ts";
import { allowedRanges, TermStatistics } from "./term-statistics.ts";

/** A query's terms: distinct stems without stop words and distinct character 4-grams. */
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

export function placeSegments(
  segments: readonly Segment[],
  statistics: TermStatistics,
  allows: (audience: number) => boolean,
): SearchedSegment[] {
  const slopesByKind = new Map<string, SearchedSegment["slopes"]>();
  let base = 0;
  return segments.map((segment) => {
    const { kind } = segment;
    let slopes = slopesByKind.get(kind);
    if (!slopes) {
      const ofKind = () =>
        new TermStatistics(
          segments.filter((one) => one.kind === kind),
          allows,
        );
      const average = (name: FieldName) => statistics.averageLength(kind, name) ?? ofKind().averageLength(kind, name);
      const slope = (name: FieldName) => lengthSlope(average(name) || 1);
      slopes = { stems: slope("stems"), grams: slope("grams") };
      slopesByKind.set(kind, slopes);
    }
    const place = { segment, base, ranges: allowedRanges(segment, allows), slopes };
    base += segment.ids.length;
    return place;
  });
}

export function findTerms(
  name: FieldName,
  texts: readonly string[],
  places: readonly SearchedSegment[],
  statistics: TermStatistics,
): Term[] {
  const counted = places.map(({ segment }) => statistics.segments.indexOf(segment));
  const terms = texts.map((text) => {
    const { key, idf, numbers } = statistics.term(name, text);
    const term: Term = { text, idf, spans: [], postings: 0, most: 0 };
    places.forEach((place, at) => {
      const number = counted[at]! < 0 ? findTerm(place.segment[name], key) : numbers[counted[at]!]!;
      if (number >= 0) addSpans(term, name, number, place);
    });
    return term;
  });
  return terms.sort((one, other) => other.idf - one.idf);
}

function addSpans(term: Term, name: FieldName, number: number, place: SearchedSegment): void {
  const field = place.segment[name];
  const first = field.starts[number]!;
  const end = field.starts[number + 1]!;
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
  const peak = saturation(field.peakCounts[number]!, field.shortest[number]!, place.slopes[name]);
  term.most = Math.max(term.most, term.idf * peak);
}
