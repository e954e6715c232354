/** Scores how closely a turn resembles the owner's style, and whether it is within the owner's own range. */
import { extentOf, FAMILIES, type Family, type Habits, habitsOf, type StyleMeasures } from "./habits.ts";
import type { MeasureSpread, Scorer } from "./stored-scorer.ts";

export interface TurnScore {
  /** Position between the owner and others: 0 is the middle, 1 a standard deviation of all turns towards the owner. */
  nearness: number;
  /** 1 within the owner's range; falls towards 0 with the distance from it. */
  typicality: number;
  value: number;
}

const HUNDREDTHS = 100;
/** Upper limits, in words, of the length bands. Turns are compared within a band, because shares depend on length. */
const BANDS = [3, 10];
export const BAND_COUNT = BANDS.length + 1;

/** Divides a sum by the square root of the number of observations, so that long turns do not dominate. */
export function familyScores(habits: Habits, odds: Record<Family, readonly number[]>): number[] {
  return FAMILIES.map((family) => {
    const seen = habits[family];
    if (seen.length === 0) return 0;
    return seen.reduce((sum, at) => sum + odds[family][at]!, 0) / HUNDREDTHS / Math.sqrt(seen.length);
  });
}

export const nearnessOf = (scores: readonly number[], { weights, bias }: Pick<Scorer, "weights" | "bias">): number =>
  scores.reduce((sum, score, at) => sum + score * weights[at]!, bias);

export function bandOf(turn: string): number {
  const words = turn.match(/\p{L}+/gu)?.length ?? 0;
  const band = BANDS.findIndex((most) => words <= most);
  return band < 0 ? BANDS.length : band;
}

/** Distance outside the owner's range, in widths of that range, at which the value drops to about a third. */
const TOLERANCE = 0.5;
const MEASURES = ["function", "marks", "fresh", "length"] as const;

function typicalityOf(extent: StyleMeasures, spread: MeasureSpread): number {
  const beyond = MEASURES.map((name) => {
    const [low, high] = spread[name];
    const width = Math.max(high - low, WIDTHS[name]);
    return Math.max(0, low - extent[name], extent[name] - high) / width;
  });
  return Math.exp(-Math.max(...beyond) / TOLERANCE);
}

/** Minimum width of a range, so that a very regular owner may deviate a little. */
const WIDTHS: Record<(typeof MEASURES)[number], number> = { function: 0.2, marks: 0.2, fresh: 0.1, length: 0.7 };

/** Caps the score at the owner's median: rewarding a higher one would exaggerate the owner's style. */
export function scoreTurn(turn: string, scorer: Scorer): TurnScore {
  const spread = scorer.spreads[bandOf(turn)] ?? scorer.spreads[0]!;
  const nearness = nearnessOf(familyScores(habitsOf(turn), scorer.odds), scorer);
  const typicality = typicalityOf(extentOf(turn), spread);
  const kept = Math.min(nearness, spread.nearness);
  return { nearness, typicality, value: kept + Math.log(Math.max(typicality, MIN_TYPICALITY)) };
}

const MIN_TYPICALITY = 1e-6;
