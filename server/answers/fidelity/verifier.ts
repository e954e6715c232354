/** Logistic regression by stochastic gradient descent: owner against others. */
import { DIMENSIONS, type SparseVector } from "./features.ts";

const EPOCHS = 3;
const DECAY = 1e-4;
const L2 = 2e-6;

interface Verifier {
  /** Uncalibrated log-odds that the owner wrote the message. */
  logit(vector: SparseVector): number;
}

/**
 * Balanced: the owner's and others' messages alternate, and the smaller side is repeated more often. Step size 1 / (1 + 1e-4 · step),
 * three epochs of the larger side.
 */
export function trainVerifier(
  owners: readonly SparseVector[],
  others: readonly SparseVector[],
  random: () => number,
): Verifier {
  const weights = new Float64Array(DIMENSIONS);
  // w = scale · weights, so that the decay of all weights is one multiplication.
  let scale = 1;
  let bias = 0;
  let step = 0;
  const logit = (vector: SparseVector) => bias + scale * dot(weights, vector);
  const learn = (vector: SparseVector, label: 0 | 1) => {
    const rate = 1 / (1 + DECAY * step++);
    const error = label - sigmoid(logit(vector));
    scale *= 1 - rate * L2;
    const change = (rate * error) / scale;
    const { places, values } = vector;
    for (let at = 0; at < places.length; at++) weights[places[at]!]! += change * values[at]!;
    bias += 0.1 * rate * error;
  };
  const rounds = EPOCHS * Math.max(owners.length, others.length);
  const [nextOwner, nextOther] = [inTurns(owners, random), inTurns(others, random)];
  for (let round = 0; round < rounds; round++) {
    learn(nextOwner(), 1);
    learn(nextOther(), 0);
  }
  return { logit };
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

function dot(weights: Float64Array, { places, values }: SparseVector): number {
  let sum = 0;
  for (let at = 0; at < places.length; at++) sum += weights[places[at]!]! * values[at]!;
  return sum;
}

function inTurns<T>(items: readonly T[], random: () => number): () => T {
  let order: T[] = [];
  return () => {
    if (order.length === 0) order = shuffled(items, random);
    return order.pop()!;
  };
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
