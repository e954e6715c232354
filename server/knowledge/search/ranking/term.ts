import type { Segment } from "../index-segment.ts";

export type FieldName = "stems" | "grams";

/** Numbers of units; `to` is exclusive. */
export interface UnitRange {
  from: number;
  to: number;
}

/** A searched segment: its offset in the numbering of all units, its visible ranges, and its length normalisation. */
export interface SearchedSegment {
  segment: Segment;
  base: number;
  ranges: readonly UnitRange[];
  /** Slopes of unit length; the average length is that of the units of one kind. */
  slopes: Record<FieldName, number>;
}

export interface UnitSpan {
  place: SearchedSegment;
  from: number;
  to: number;
}

export interface Term {
  text: string;
  idf: number;
  spans: UnitSpan[];
  postings: number;
  /** Upper bound of the score that this term can add to any unit. */
  most: number;
}
