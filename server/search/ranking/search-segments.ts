import type { Segment } from "../segments/index-segment.ts";
import { findTerms, parseQuery, placeSegments, type Query } from "./query-terms.ts";
import { Ranking } from "./rank-units.ts";
import { TermStatistics } from "./term-statistics.ts";

export interface SearchOptions {
  /** Who is asking: whether units of this audience may be found at all. The others are left out before ranking. */
  allows: (audience: number) => boolean;
  limit: number;
  /** Units that no longer exist, by kind. */
  dead?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Where word frequencies come from: the whole index of the twin when only some kinds are searched. Default: `segments`. */
  statistics?: TermStatistics;
  /** About so many postings are added up, rarest terms first; the others only for the best units so far. Default: no bound, exact. */
  mostPostings?: number;
}

/** How well a unit fits the query by itself, each in 0..1. Stop words count in `grams` only. */
export interface Match {
  /** BM25 over stems divided by the sum of the idf of the query's stems. */
  stems: number;
  /** The same over character 4-grams. */
  grams: number;
  /** The share of the query's stems that the unit holds, weighted by idf. */
  coverage: number;
}

export interface Hit {
  kind: string;
  id: number;
  /** The fused score in 0..1, relative to the best units of this query. */
  score: number;
  match: Match;
}

/** A unit in its place among the found; how it matches costs more than finding it, and is told when asked. */
export interface RankedUnit extends Pick<Hit, "kind" | "id"> {
  describe(): Hit;
}

/** The best `limit` units, best first, ties by kind and id. */
export function search(segments: readonly Segment[], query: string | Query, options: SearchOptions): Hit[] {
  return rankingOf(segments, query, options).run();
}

/** The same units, best first, ties in any order. */
export function rank(segments: readonly Segment[], query: string | Query, options: SearchOptions): RankedUnit[] {
  return rankingOf(segments, query, options).order();
}

function rankingOf(segments: readonly Segment[], query: string | Query, options: SearchOptions): Ranking {
  const { stems, grams } = typeof query === "string" ? parseQuery(query) : query;
  const statistics = options.statistics ?? new TermStatistics(segments, options.allows);
  const places = placeSegments(segments, statistics, options.allows);
  return new Ranking(
    places,
    findTerms("stems", stems, places, statistics),
    findTerms("grams", grams, places, statistics),
    options,
  );
}
