/** A query's terms, and where their postings lie in the segments. */
import type { Segment } from "../segments/index-segment.ts";

/** The two fields of a unit: stems of words, and character 4-grams. */
export type FieldName = "stems" | "grams";

/** Numbers of units: `from` is the first, `to` the one behind the last. */
export interface UnitRange {
  from: number;
  to: number;
}

/** A searched segment: its offset in the numbering of all units, what of it may be seen, and how length counts in it. */
export interface Place {
  segment: Segment;
  base: number;
  ranges: readonly UnitRange[];
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
  text: string;
  idf: number;
  spans: Span[];
  postings: number;
  /** The greatest score that this term can add to any unit. */
  most: number;
}
