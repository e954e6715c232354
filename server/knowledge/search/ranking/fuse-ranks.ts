import type { NearUnit } from "#server/knowledge/embeddings/nearest-units.ts";
import type { RankedUnit, UnitHit } from "./found-unit.ts";

export const MAX_FUSED_UNITS = 100;

/** Cormack, Clarke & Büttcher 2009, «Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods». */
const K = 60;

export interface FusedHit extends UnitHit {
  /** Cosine; absent when the unit is not among the nearest. */
  similarity?: number;
}

/**
 * Fuses both lists, each best first, by Σ 1 / (60 + rank), because ranks are comparable where scores are not. A unit missing in a list
 * ranks after its last, so that a short word list does not outweigh units found only by embedding.
 */
export function fuseRanks(byWords: readonly RankedUnit[], near: readonly NearUnit[], limit: number): FusedHit[] {
  const units: Fused[] = [];
  const known = new Map<string, Map<number, Fused>>();
  const unitOf = (kind: string, id: number): Fused => {
    const ofKind = known.get(kind) ?? new Map<number, Fused>();
    known.set(kind, ofKind);
    let unit = ofKind.get(id);
    if (unit === undefined) {
      unit = { kind, id, words: byWords.length + 1, queryEmbedding: near.length + 1, ranked: null, near: null };
      ofKind.set(id, unit);
      units.push(unit);
    }
    return unit;
  };
  for (const [at, ranked] of byWords.entries())
    Object.assign(unitOf(ranked.kind, ranked.id), { words: at + 1, ranked });
  for (const [at, one] of near.entries())
    Object.assign(unitOf(one.kind, one.id), { queryEmbedding: at + 1, near: one });
  const score = ({ words, queryEmbedding }: Fused) => 1 / (K + words) + 1 / (K + queryEmbedding);
  units.sort((one, other) => score(other) - score(one) || (one.kind < other.kind ? -1 : 1) || one.id - other.id);
  const best = units[0] === undefined ? 1 : score(units[0]);
  return units.slice(0, limit).map((unit): FusedHit => {
    const { kind, id, ranked, near } = unit;
    const match = ranked?.describe().match ?? { stems: 0, grams: 0, coverage: 0 };
    const similarity = near === null ? {} : { similarity: near.similarity };
    return { kind, id, score: score(unit) / best, match, ...similarity };
  });
}

interface Fused {
  kind: string;
  id: number;
  words: number;
  queryEmbedding: number;
  ranked: RankedUnit | null;
  near: NearUnit | null;
}
