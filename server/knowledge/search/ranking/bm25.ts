// BM25 (Robertson and Zaragoza 2009), without the constant factor k1 + 1, so that a term's weight stays below 1.

/** BM25's parameters: saturation of repeated terms (k1) and influence of unit length (b). */
const k1 = 1.2;
const b = 0.75;

/** Weight, in 0..1, of a term with `count` occurrences in a unit of `length` terms; multiply it by the idf. */
export function saturation(count: number, length: number, slope: number): number {
  return count / (count + flat + slope * length);
}

/** The part of BM25's denominator that does not depend on length: k1·(1 − b). */
export const flat = k1 * (1 - b);

/** Returns the part of BM25's denominator that depends on length, per term: k1·b / average length. */
export function lengthSlope(averageLength: number): number {
  return (k1 * b) / averageLength;
}

/** BM25's idf in Lucene's variant, which is never negative. */
export function inverseFrequency(units: number, unitsWithTerm: number): number {
  return Math.log(1 + (units - unitsWithTerm + 0.5) / (unitsWithTerm + 0.5));
}
