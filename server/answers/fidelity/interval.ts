/**
 * Factor for the half-widths of a rough figure. Resampling covers the chance in the given messages and people, but not in others. The
 * half-widths are therefore stretched and have a minimum, larger downwards, because little evidence flatters. Fitted on fourteen
 * development people so that nine of ten intervals contain the figure of the whole history (docs/decisions/028-style-and-fidelity.md).
 */
const STRETCH = 1.5;
/** Minimum half-widths of a rough interval, in radians of asin √p. */
const MIN_HALF_WIDTH = { down: 0.4, up: 0.3 };

/** Returns the 90 % interval of the resampled values, widened to include the figure itself. */
export function intervalOf(value: number, drawn: readonly number[], rough: boolean): { low: number; high: number } {
  const sorted = drawn.toSorted((a, b) => a - b);
  const low = Math.min(value, sorted[Math.floor(0.05 * sorted.length)]!);
  const high = Math.max(value, sorted[Math.ceil(0.95 * sorted.length) - 1]!);
  if (!rough) return { low, high };
  // On the scale of asin √p the spread of a share does not depend on the share.
  const [middle, bottom, top] = [angle(value), angle(low), angle(high)];
  const half = (width: number, least: number) => Math.hypot(STRETCH * width, least);
  return {
    low: share(middle - half(middle - bottom, MIN_HALF_WIDTH.down)),
    high: share(middle + half(top - middle, MIN_HALF_WIDTH.up)),
  };
}

const angle = (one: number): number => Math.asin(Math.sqrt(Math.min(1, Math.max(0, one))));
const share = (turned: number): number => Math.sin(Math.min(Math.PI / 2, Math.max(0, turned))) ** 2;
