// Reads posting lists: units of one segment, ascending.
import { saturation } from "./bm25.ts";
import type { FieldName, Term } from "./term.ts";

/** Returns the first posting in [from, to) whose unit is `unit` or later. */
export function firstPosting(units: Uint16Array, from: number, to: number, unit: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (units[middle]! < unit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `firstPosting` by galloping search, which is faster when the result is close to `from`. */
export function gallop(units: Uint16Array, from: number, to: number, unit: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && units[low + step]! < unit) {
    low += step;
    step *= 2;
  }
  return firstPosting(units, low, Math.min(low + step + 1, to), unit);
}

/** Returns the BM25 score of one unit in one field, the idf of the terms that it contains, and the idf of all terms. */
export function matchField(
  unit: number,
  terms: readonly Term[],
  name: FieldName,
): { score: number; covered: number; ideal: number } {
  const sums = { score: 0, covered: 0, ideal: 0 };
  for (const term of terms) {
    const weight = weightIn(unit, term, name);
    sums.score += term.idf * weight;
    sums.covered += weight > 0 ? term.idf : 0;
    sums.ideal += term.idf;
  }
  return sums;
}

function weightIn(unit: number, term: Term, name: FieldName): number {
  for (const { place, from, to } of term.spans) {
    const { units, counts, lengths } = place.segment[name];
    const local = unit - place.base;
    if (local < units[from]! || local > units[to - 1]!) continue;
    const posting = firstPosting(units, from, to, local);
    if (units[posting] === local) return saturation(counts[posting]!, lengths[local]!, place.slopes[name]);
  }
  return 0;
}
