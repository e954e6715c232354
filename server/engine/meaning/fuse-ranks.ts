import type { Hit } from "../search-segments.ts";
import type { NearUnit } from "./nearest-units.ts";

/** Of either list. */
export const FUSED = 100;

/** Cormack, Clarke & Büttcher 2009, «Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods». */
const K = 60;

export interface FusedHit extends Hit {
  /** Cosine; absent where the unit is not among the nearest. */
  similarity?: number;
}

/**
 * Both lists, each best first, as one by Σ 1 / (60 + rank): ranks compare where scores do not. What a list does not hold
 * stands behind its last, so that a short list of words does not outweigh what only meaning finds.
 */
export function fuseRanks(hits: readonly Hit[], near: readonly NearUnit[], limit: number): FusedHit[] {
  const keyOf = ({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`;
  const units = new Map<string, FusedHit>();
  const ranks = new Map<string, { words: number; meaning: number }>();
  const rankOf = (key: string) => ranks.get(key) ?? { words: hits.length + 1, meaning: near.length + 1 };
  for (const [at, hit] of hits.entries()) {
    units.set(keyOf(hit), hit);
    ranks.set(keyOf(hit), { ...rankOf(keyOf(hit)), words: at + 1 });
  }
  for (const [at, { kind, id, similarity }] of near.entries()) {
    const key = keyOf({ kind, id });
    const known = units.get(key) ?? { kind, id, score: 0, match: { stems: 0, grams: 0, coverage: 0 } };
    units.set(key, { ...known, similarity });
    ranks.set(key, { ...rankOf(key), meaning: at + 1 });
  }
  const fused = [...units].map(([key, hit]) => {
    const { words, meaning } = rankOf(key);
    return { ...hit, score: 1 / (K + words) + 1 / (K + meaning) };
  });
  fused.sort((one, other) => other.score - one.score || (one.kind < other.kind ? -1 : 1) || one.id - other.id);
  const best = fused[0]?.score ?? 1;
  return fused.slice(0, limit).map((hit) => ({ ...hit, score: hit.score / best }));
}
