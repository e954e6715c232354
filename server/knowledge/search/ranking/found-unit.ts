import type { TermStatistics } from "./term-statistics.ts";

export interface SearchOptions {
  allows: (audience: number) => boolean;
  limit: number;
  dead?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Source of term frequencies: the whole index when only some kinds are searched. Default: `segments`. */
  statistics?: TermStatistics;
  /**
   * Approximate maximum of postings that are added, rarest terms first; other terms count only for the best units so far. Default:
   * unlimited, exact.
   */
  maxPostings?: number;
}

/** How well a single unit fits the query, each value in 0..1. Stop words count only in `grams`. */
export interface UnitMatch {
  /** BM25 over stems divided by the sum of the idf of the query's stems. */
  stems: number;
  /** BM25 over character 4-grams divided by the sum of the idf of the query's 4-grams. */
  grams: number;
  /** Share of the query's stems that the unit contains, weighted by idf. */
  coverage: number;
}

export interface UnitHit {
  kind: string;
  id: number;
  /** Fused score in 0..1, relative to the best units of this query. */
  score: number;
  match: UnitMatch;
}

/** A ranked unit. `describe` computes how it matches, which costs more than finding it. */
export interface RankedUnit extends Pick<UnitHit, "kind" | "id"> {
  describe(): UnitHit;
}
