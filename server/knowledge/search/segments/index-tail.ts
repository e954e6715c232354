import type { IndexedUnit } from "#server/knowledge/embeddings/twin-units.ts";
import type { Segment } from "../index-segment.ts";
import { buildSegment } from "./build-segment.ts";
import { sizeOf } from "./segment-bytes.ts";

interface Part {
  units: IndexedUnit[];
  segment: Segment;
}

/** Maximum units of a part: building one takes tens of milliseconds, for which everybody on this thread waits. */
export const PART_UNITS = 500;

/**
 * In-memory index of units newer than the stored segments. A part is merged with the next when that reaches half its size, so that frequent
 * additions stay cheap, and no further than to a full part.
 */
export class IndexTail {
  readonly #kind: string;
  #parts: Part[] = [];
  readonly #ids = new Set<number>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  get segments(): Segment[] {
    return this.#parts.map((part) => part.segment);
  }

  /** Approximate memory size in bytes. */
  get size(): number {
    const texts = this.#parts.flatMap((part) => part.units);
    const characters = texts.reduce((sum, unit) => sum + unit.text.length + (unit.heading?.length ?? 0) + 40, 0);
    return this.#parts.reduce((sum, part) => sum + sizeOf(part.segment), 1000 + 2 * characters);
  }

  /** The copy and the original can be changed independently. */
  copy(): IndexTail {
    const copy = new IndexTail(this.#kind);
    copy.#parts = [...this.#parts];
    for (const id of this.#ids) copy.#ids.add(id);
    return copy;
  }

  missing(ids: readonly number[]): number[] {
    return ids.filter((id) => !this.#ids.has(id));
  }

  /** @param units at most `PART_UNITS`, so that the caller can let others go first between two parts */
  add(units: IndexedUnit[]): void {
    if (units.length === 0) return;
    for (const unit of units) this.#ids.add(unit.id);
    let joined = units;
    for (let last = this.#parts.at(-1); last !== undefined; last = this.#parts.at(-1)) {
      if (last.units.length > 2 * joined.length || last.units.length + joined.length > PART_UNITS) break;
      joined = [...this.#parts.pop()!.units, ...joined];
    }
    this.#parts.push({ units: joined, segment: buildSegment(this.#kind, joined) });
  }

  /** Returns the first of the units that share a part with `first` or later units, if it is older. */
  firstBefore(first: number): number | undefined {
    const older = this.#parts
      .filter(({ units }) => units.some(({ id }) => id >= first))
      .flatMap(({ units }) => units.flatMap(({ id }) => (id < first ? id : [])));
    return older.length === 0 ? undefined : Math.min(...older);
  }

  /**
   * Drops all units but these. Only parts that lose some of theirs are built again.
   * @param first a part whose units are all older is dropped: while an import adds rows, the newest ones of a bounded number change all the
   *   time, and a part is not built again for each of them
   */
  keepOnly(ids: readonly number[], first = Number.NEGATIVE_INFINITY): void {
    const kept = new Set(ids);
    const parts = this.#parts;
    this.#parts = [];
    for (const part of parts) {
      const units = part.units.filter(({ id }) => kept.has(id));
      if (units.every(({ id }) => id < first)) continue;
      if (units.length === part.units.length) this.#parts.push(part);
      else this.#parts.push({ units, segment: buildSegment(this.#kind, units) });
    }
    this.#ids.clear();
    for (const { units } of this.#parts) for (const { id } of units) this.#ids.add(id);
  }
}
