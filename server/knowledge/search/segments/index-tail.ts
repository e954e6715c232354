import type { Unit } from "../twin-units.ts";
import { buildSegment } from "./build-segment.ts";
import type { Segment } from "./index-segment.ts";
import { sizeOf } from "./segment-bytes.ts";

interface Part {
  units: Unit[];
  segment: Segment;
}

/**
 * The units of one kind that are newer than the stored segments, indexed in memory. Parts are joined when the newer one
 * has grown to half of the older, so adding costs little however often it happens.
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

  /** Bytes in memory, about. */
  get size(): number {
    const texts = this.#parts.flatMap((part) => part.units);
    const characters = texts.reduce((sum, unit) => sum + unit.text.length + (unit.heading?.length ?? 0) + 40, 0);
    return this.#parts.reduce((sum, part) => sum + sizeOf(part.segment), 1000 + 2 * characters);
  }

  /** Changes of either leave the other as it is. */
  copy(): IndexTail {
    const copy = new IndexTail(this.#kind);
    copy.#parts = [...this.#parts];
    for (const id of this.#ids) copy.#ids.add(id);
    return copy;
  }

  /** Which of `ids` are not in here yet. */
  missing(ids: readonly number[]): number[] {
    return ids.filter((id) => !this.#ids.has(id));
  }

  add(units: Unit[]): void {
    if (units.length === 0) return;
    for (const unit of units) this.#ids.add(unit.id);
    let joined = units;
    while (this.#parts.length > 0 && this.#parts.at(-1)!.units.length <= 2 * joined.length) {
      joined = [...this.#parts.pop()!.units, ...joined];
    }
    this.#parts.push({ units: joined, segment: buildSegment(this.#kind, joined) });
  }

  /** Forgets every unit that is not among `ids`. */
  keepOnly(ids: readonly number[]): void {
    const kept = new Set(ids);
    if ([...this.#ids].every((id) => kept.has(id))) return;
    const parts = this.#parts;
    this.#parts = [];
    this.#ids.clear();
    this.add(parts.flatMap((part) => part.units).filter((unit) => kept.has(unit.id)));
  }
}
