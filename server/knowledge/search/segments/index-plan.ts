import type { IdRange } from "#server/knowledge/embeddings/twin-units.ts";

export interface KnownRange extends IdRange {
  /** Id of the segment; null when there is none yet. */
  segmentId: number | null;
  units: number;
  /** Whether the segment is missing, unreadable or out of date. */
  stale: boolean;
}

/** A range to index again, and the segments that it replaces, the last of which ends at `replacesTo`. */
export interface RangeToBuild extends IdRange {
  units: number;
  replaces: number[];
  replacesTo: number;
}

/** Segments of this size are not merged any more, because building one takes memory in proportion to its size. */
export const fullSegment = 25_000;

/**
 * Returns what must be indexed so that the segments contain exactly the existing units. A stale range absorbs its smaller older
 * neighbours: so segments stay few, and a unit is indexed again only when its segment about doubles.
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
