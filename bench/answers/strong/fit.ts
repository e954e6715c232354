// Fits the probability that the owner would send an answer (server/answers/replies/record/send-weights.ts): logistic regression over the
// features of recorded answers, good and flawed, judged by leaving out one knowledge base at a time.

import { FEATURES, featuresOf } from "#server/answers/replies/record/send-probability.ts";
import type { RecordedAnswer } from "#server/answers/replies/recorded-answer.ts";
import { verdictOf } from "../verdict.ts";
import type { Answered } from "./ask-strong.ts";
import { aucOf, calibrationErrorOf, isGood, type Point } from "./strong-table.ts";

interface Example {
  base: string;
  features: number[];
  good: boolean;
  weight: number;
}

interface Fitted {
  bias: number;
  of: number[];
}

/** The flawed answers were written to be wrong; together they weigh as much as a real model errs. */
const FLAWED_WEIGHT = 0.25;
const PENALTY = 0.5;
const STEPS = 4000;
const RATE = 0.05;
/** Newton's steps for one number. */
const CALIBRATION_STEPS = 20;

export function fitTable(strong: readonly Answered[], flawed: readonly Answered[]): string {
  const examples = [
    ...strong.flatMap((one) => exampleOf(one, 1)),
    ...flawed.flatMap((one) => exampleOf(one, FLAWED_WEIGHT)),
  ];
  const bases = [...new Set(examples.map(({ base }) => base))];
  const left = bases.flatMap((base) => {
    const fitted = calibrated(examples.filter((one) => one.base !== base));
    return examples.filter((one) => one.base === base).map((one) => ({ ...one, p: probability(fitted, one.features) }));
  });
  const ofStrong = left.filter(({ weight }) => weight === 1);
  const fitted = calibrated(examples);
  return [
    `bias ${fitted.bias.toFixed(2)}`,
    ...FEATURES.map((name, at) => `${name} ${fitted.of[at]!.toFixed(2)}`),
    "",
    `left out by base, all: AUC ${aucOf(left).toFixed(3)}, calibration error ${calibrationErrorOf(left).toFixed(3)}, ${left.length} answers`,
    `left out by base, strong alone: AUC ${aucOf(ofStrong).toFixed(3)}, calibration error ${calibrationErrorOf(ofStrong).toFixed(3)}`,
    "",
    "| sent from | sent of strong | wrong among them | sent of flawed, wrong | of all flawed wrong |",
    "|---|--:|--:|--:|--:|",
    ...[0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97].map((from) => thresholdRow(from, left)),
  ].join("\n");
}

function thresholdRow(from: number, points: readonly (Point & Example)[]): string {
  const strong = points.filter(({ weight }) => weight === 1);
  const flawed = points.filter(({ weight, good }) => weight !== 1 && !good);
  const sent = strong.filter(({ p }) => p >= from);
  const cells = [
    from,
    `${sent.length} of ${strong.length}`,
    sent.filter(({ good }) => !good).length,
    flawed.filter(({ p }) => p >= from).length,
    flawed.length,
  ];
  return `| ${cells.join(" | ")} |`;
}

/**
 * The answer that came out, and the one before its repair, as if it had not been repaired. An answer that knows nothing, or that must be
 * held, has no probability to fit.
 */
function exampleOf(one: Answered, weight: number): Example[] {
  const { recorded, base, question, flaws } = one;
  if (recorded === undefined) return [];
  const { before } = recorded;
  const fits = ({ record, faults }: Pick<RecordedAnswer, "record" | "faults">) =>
    record.kind !== "unknown" && faults.length === 0;
  const last = fits(recorded) ? [{ base, features: featuresOf(recorded), good: isGood(one), weight }] : [];
  if (before === null || !fits(before)) return last;
  const verdict = verdictOf(question, before.checked.messages.join("\n"));
  const good = isGood({ question, verdict, flaws: [null, flaws[0]] });
  return [...last, { base, features: featuresOf({ ...before, repaired: false, unverified: false }), good, weight }];
}

const probability = ({ bias, of }: Fitted, features: readonly number[]): number =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * of[at]!, bias)));

/**
 * What tells good answers from bad ones is learnt from all, how often they are good from a real model's answers alone: of the flawed ones
 * most are wrong, so that with them every probability would be too low.
 */
function calibrated(examples: readonly Example[]): Fitted {
  const { bias, of } = fit(examples);
  const real = examples.filter(({ weight }) => weight === 1);
  let moved = bias;
  for (let step = 0; step < CALIBRATION_STEPS; step++) {
    let error = 0;
    let slope = 0;
    for (const { features, good } of real) {
      const p = probability({ bias: moved, of }, features);
      error += p - Number(good);
      slope += p * (1 - p);
    }
    moved -= error / slope;
  }
  return { bias: moved, of };
}

/** Gradient descent with an L2 penalty on everything but the bias. */
function fit(examples: readonly Example[]): Fitted {
  const fitted: Fitted = { bias: 0, of: FEATURES.map(() => 0) };
  const whole = examples.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 0; step < STEPS; step++) {
    let ofBias = 0;
    const gradient = fitted.of.map((one) => (PENALTY * one) / whole);
    for (const { features, good, weight } of examples) {
      const error = (probability(fitted, features) - Number(good)) * weight;
      ofBias += error / whole;
      for (const [at, value] of features.entries()) gradient[at]! += (error * value) / whole;
    }
    fitted.bias -= RATE * 20 * ofBias;
    for (const [at, one] of gradient.entries()) fitted.of[at]! -= RATE * 20 * one;
  }
  return fitted;
}
