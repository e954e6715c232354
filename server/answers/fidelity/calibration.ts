import { sigmoid } from "./verifier.ts";

export interface Calibration {
  slope: number;
  intercept: number;
}

const RIDGE = 1e-2;
const ITERATIONS = 50;
const MIN_PROBABILITY = 0.02;

/**
 * Platt scaling (Platt 1999) with equal priors and a ridge on the slope, solved by damped Newton steps. Owner and
 * others weigh one half
 * each, however many scores they have.
 */
export function calibrate(owners: readonly number[], others: readonly number[]): Calibration {
  const points = [
    ...owners.map((score) => ({ score, label: 1, weight: 0.5 / owners.length })),
    ...others.map((score) => ({ score, label: 0, weight: 0.5 / others.length })),
  ];
  const loss = ({ slope, intercept }: Calibration) => {
    let sum = (RIDGE / 2) * slope * slope;
    for (const { score, label, weight } of points) {
      const z = slope * score + intercept;
      // ln(1 + e^z) − label · z, without overflow
      sum += weight * (Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - label * z);
    }
    return sum;
  };
  let now: Calibration = { slope: 1, intercept: 0 };
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    let [g1, g0, h11, h10, h00] = [RIDGE * now.slope, 0, RIDGE, 0, 1e-9];
    for (const { score, label, weight } of points) {
      const p = sigmoid(now.slope * score + now.intercept);
      const error = weight * (p - label);
      const curve = weight * p * (1 - p);
      g1 += error * score;
      g0 += error;
      h11 += curve * score * score;
      h10 += curve * score;
      h00 += curve;
    }
    const determinant = h11 * h00 - h10 * h10;
    if (!(determinant > 0)) break;
    const [d1, d0] = [(h00 * g1 - h10 * g0) / determinant, (h11 * g0 - h10 * g1) / determinant];
    const before = loss(now);
    let damping = 1;
    let next = now;
    do {
      next = { slope: now.slope - damping * d1, intercept: now.intercept - damping * d0 };
      damping /= 2;
    } while (loss(next) > before && damping > 1e-4);
    const moved = Math.abs(next.slope - now.slope) + Math.abs(next.intercept - now.intercept);
    now = next;
    if (moved < 1e-9) break;
  }
  return now;
}

/** Clipped to [0.02, 0.98], because no block of twenty messages is certain. */
export function probability({ slope, intercept }: Calibration, score: number): number {
  return Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, sigmoid(slope * score + intercept)));
}
