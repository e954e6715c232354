import type { IndexedUnit } from "#server/knowledge/embeddings/twin-units.ts";
import type { Segment } from "../index-segment.ts";
import { buildSegment } from "./build-segment.ts";
import { sizeOf } from "./segment-bytes.ts";

interface Part {
  units: IndexedUnit[];
  segment: Segment;
}

/**
 * In-memory index of units newer than the stored segments. Two parts are merged when the newer one reaches half the size of the older, so
 * that frequent additions stay cheap.
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

  add(units: IndexedUnit[]): void {
    if (units.length === 0) return;
    for (const unit of units) this.#ids.add(unit.id);
    let joined = units;
    while (this.#parts.length > 0 && this.#parts.at(-1)!.units.length <= 2 * joined.length) {
      joined = [...this.#parts.pop()!.units, ...joined];
    }
    this.#parts.push({ units: joined, segment: buildSegment(this.#kind, joined) });
  }

  keepOnly(ids: readonly number[]): void {
    const kept = new Set(ids);
    if ([...this.#ids].every((id) => kept.has(id))) return;
    const parts = this.#parts;
    this.#parts = [];
    this.#ids.clear();
    this.add(parts.flatMap((part) => part.units).filter((unit) => kept.has(unit.id)));
  }
}
