/** Words for how often a habit occurs, if there are enough messages to tell. */

/** `rare`: hardly ever; null: between two levels, or too few messages to tell. */
export type Frequency = "always" | "mostly" | "often" | "sometimes" | "rare" | null;

const MIN_CASES = 10;
/** z-value of a one-sided 95 % bound: five statements in a hundred may be chance. */
const Z = 1.645;

/** Confidence bounds of a share measured in `of` cases (Wilson 1927). */
export function boundsOf(share: number, of: number): { low: number; high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const square = Z ** 2 / of;
  const centre = (share + square / 2) / (1 + square);
  const half = (Z * Math.sqrt((share * (1 - share)) / of + square / (4 * of))) / (1 + square);
  return { low: centre - half, high: centre + half };
}

/** @param of number of cases that the share was measured in; undefined when unknown, so that nothing can be stated */
export function frequencyOf(share: number, of: number | undefined): Frequency {
  if (of === undefined || of < MIN_CASES) return null;
  const { low, high } = boundsOf(share, of);
  if (low >= 0.85) return "always";
  if (low >= 0.6) return "mostly";
  if (low >= 0.25) return "often";
  if (high <= 0.06) return "rare";
  return low >= 0.06 ? "sometimes" : null;
}
