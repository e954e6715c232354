import { LRUCache } from "lru-cache";
import { type EmbeddedKind, embeddedKinds, type SignState } from "#server/knowledge/embeddings/nearest-units.ts";
import { type UnitKind, unitKinds } from "#server/knowledge/embeddings/twin-units.ts";
import type { Segment } from "./index-segment.ts";
import type { IndexTail } from "./segments/index-tail.ts";

export interface SegmentRow {
  id: number;
  firstId: number;
  lastId: number;
  units: number;
}

/** Cached state of one kind of units of one twin; valid while its stamp is current. */
export interface KindState {
  stamp: string;
  segments: SegmentRow[];
  tail: IndexTail;
  /** Units of stored segments whose rows are deleted. */
  dead: Set<number>;
}

const segmentKey = (twinId: string, id: number): string => `segment ${id} of ${twinId}`;

/** LRU cache of segments and newest units over all twins, limited by bytes: busy twins stay, an idle one costs nothing. */
export class IndexCache {
  readonly #entries: LRUCache<string, Segment | KindState | SignState>;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes });
  }

  /** The key includes the twin, because segment ids are unique only within a database, and a process may have several open. */
  segment(twinId: string, id: number): Segment | undefined {
    return this.#entries.get(segmentKey(twinId, id)) as Segment | undefined;
  }

  keepSegment(twinId: string, id: number, segment: Segment, bytes: number): void {
    this.#entries.set(segmentKey(twinId, id), segment, { size: bytes });
  }

  state(twinId: string, kind: UnitKind): KindState | undefined {
    return this.#entries.get(`${kind}s of ${twinId}`) as KindState | undefined;
  }

  keepState(twinId: string, kind: UnitKind, state: KindState): void {
    const replaced = this.state(twinId, kind)?.segments ?? [];
    for (const { id } of replaced) {
      if (!state.segments.some((segment) => segment.id === id)) this.#entries.delete(segmentKey(twinId, id));
    }
    this.#entries.set(`${kind}s of ${twinId}`, state, { size: state.tail.size + 40 * state.dead.size });
  }

  signs(twinId: string, kind: EmbeddedKind): SignState | undefined {
    return this.#entries.get(`signs of ${kind}s of ${twinId}`) as SignState | undefined;
  }

  keepSigns(twinId: string, kind: EmbeddedKind, state: SignState): void {
    const { table, ids, codes } = state;
    const bytes = codes.size * (100 + (codes.values().next().value?.length ?? 0));
    this.#entries.set(`signs of ${kind}s of ${twinId}`, state, { size: 1 + table.size + 16 * ids.length + bytes });
  }

  forget(twinId: string): void {
    for (const kind of unitKinds) {
      for (const { id } of this.state(twinId, kind)?.segments ?? []) this.#entries.delete(segmentKey(twinId, id));
      this.#entries.delete(`${kind}s of ${twinId}`);
    }
    for (const kind of embeddedKinds) this.#entries.delete(`signs of ${kind}s of ${twinId}`);
  }
}
