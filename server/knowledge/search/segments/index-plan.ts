import type { IdRange } from "../twin-units.ts";

/** Ids with or without a segment over them, and what was found there now. */
export interface KnownRange extends IdRange {
  /** The segment, null where there is none yet. */
  segmentId: number | null;
  /** Units in the range now. */
  units: number;
  /** The segment does not hold just these units, cannot be read, or is not there. */
  stale: boolean;
}

/** A range to index anew, and the segments that this replaces, the last of which ends at `replacesTo`. */
export interface RangeToBuild extends IdRange {
  units: number;
  replaces: number[];
  replacesTo: number;
}

/** A segment of so many units is not joined with others any more; building one takes memory by its size. */
export const fullSegment = 25_000;

/**
 * What has to be indexed so that the segments hold just the units that exist. A stale range takes its smaller older
 * neighbours in: so there are few segments, and a unit is indexed again only when its segment about doubles.
 * @param ranges ascending
 */
export function planIndex(ranges: readonly KnownRange[]): RangeToBuild[] {
  const left = [...ranges];
  const plan: RangeToBuild[] = [];
  for (let range = left.pop(); range; range = left.pop()) {
    if (!range.stale) continue;
    const joined = [range];
    let units = range.units;
    for (let older = left.at(-1); older && older.units <= 2 * units; older = left.at(-1)) {
      if (older.units + units > fullSegment) break;
      joined.unshift(left.pop()!);
      units += older.units;
    }
    const replaced = joined.filter(({ segmentId }) => segmentId !== null);
    if (units === 0 && replaced.length === 0) continue;
    plan.unshift({
      from: joined[0]!.from,
      to: range.to,
      units,
      replaces: replaced.map(({ segmentId }) => segmentId!),
      replacesTo: replaced.at(-1)?.to ?? 0,
    });
  }
  return plan;
}
