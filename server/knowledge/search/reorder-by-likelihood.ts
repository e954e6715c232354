/**
 * Reorders the hits that have a likelihood by hit id, likeliest first. The others keep their places, because they cannot be compared.
 * Each place keeps its search score, because confidence depends on it.
 */
export function reorderByLikelihood<Hit extends { id: number; score: number }>(
  found: readonly Hit[],
  likelihoods: ReadonlyMap<number, number>,
): Hit[] {
  const places = found.flatMap((hit, at) => (likelihoods.has(hit.id) ? [at] : []));
  const best = places
    .map((at) => found[at]!)
    .sort((one, other) => likelihoods.get(other.id)! - likelihoods.get(one.id)!);
  const next = [...found];
  for (const [rank, at] of places.entries()) next[at] = { ...best[rank]!, score: found[at]!.score };
  return next;
}
