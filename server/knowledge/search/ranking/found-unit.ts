/** What a search is asked, and what it answers. */
import type { TermStatistics } from "./term-statistics.ts";

export interface SearchOptions {
  /** Whether units of this audience may be found by the asker; the others are excluded before ranking. */
  allows: (audience: number) => boolean;
  limit: number;
  /** Units that no longer exist, by kind. */
  dead?: ReadonlyMap<string, ReadonlySet<number>>;
  /** The source of word frequencies: the whole index of the twin when only some kinds are searched. Default: `segments`. */
  statistics?: TermStatistics;
  /**
   * Roughly the greatest number of postings that are added, rarest terms first; other terms count only for the best units so far.
   * Default: unlimited, exact.
   */
  maxPostings?: number;
}

/** How well a single unit fits the query, each value in 0..1. Stop words count only in `grams`. */
export interface Match {
  /** BM25 over stems divided by the sum of the idf of the query's stems. */
  stems: number;
  /** The same ratio over character 4-grams. */
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

/** A found unit in its rank. `describe` computes how it matches, which costs more than finding it. */
export interface RankedUnit extends Pick<Hit, "kind" | "id"> {
  describe(): Hit;
}
