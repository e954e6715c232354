import type { Segment } from "../index-segment.ts";
import type { RankedUnit, SearchOptions, UnitHit } from "./found-unit.ts";
import { findTerms, parseQuery, placeSegments, type Query } from "./query-terms.ts";
import { Ranking } from "./rank-units.ts";
import { TermStatistics } from "./term-statistics.ts";

/** Returns the best `limit` units, best first, ties by kind and id. */
export function search(segments: readonly Segment[], query: string | Query, options: SearchOptions): UnitHit[] {
  return rankingOf(segments, query, options).run();
}

/** Returns the same units as `search`, best first, with ties in any order. */
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
