/** Stored form of a style scorer: figures only, without any words. */

import * as z from "zod/mini";
import { memoizeByObject } from "#server/platform/text/memoize.ts";
import { FAMILIES, type Family, SIZES } from "./habits.ts";

const figures = (length: number) => z.array(z.number()).check(z.length(length));

/** Hundredths of ln(p(class | owner) / p(class | others)), by class. */
const Odds = z.object(
  Object.fromEntries(FAMILIES.map((family) => [family, figures(SIZES[family])])) as Record<
    Family,
    ReturnType<typeof figures>
  >,
);

/** Central ranges of the owner's turns in a length band: 95 % for the measures, 80 % of all turns for lengths. */
const MeasureSpread = z.object({
  function: z.tuple([z.number(), z.number()]),
  marks: z.tuple([z.number(), z.number()]),
  fresh: z.tuple([z.number(), z.number()]),
  length: z.tuple([z.number(), z.number()]),
  /** Median `TurnScore.nearness` of the owner's turns. */
  nearness: z.number(),
});
export type MeasureSpread = z.infer<typeof MeasureSpread>;

const TargetStyle = z.object({ odds: Odds, spreads: z.array(MeasureSpread) });
export type ScorerStyle = z.infer<typeof TargetStyle>;

/** Scorers for all contacts together and for each style group, by key (docs/decisions/028-style-and-fidelity.md). */
export const OwnersScorer = z.object({
  version: z.literal(1),
  weights: figures(FAMILIES.length),
  bias: z.number(),
  whole: TargetStyle,
  groups: z.record(z.string(), TargetStyle),
});
export type OwnersScorer = z.infer<typeof OwnersScorer>;

export interface Scorer extends ScorerStyle {
  weights: readonly number[];
  bias: number;
}

const scorerIn = memoizeByObject(
  (profile: object) => OwnersScorer.safeParse((profile as { scorer?: unknown }).scorer).data ?? null,
);

/**
 * Returns the scorer stored with a style profile; null without one or with an older version. Parsed profiles are cached.
 * @param group key of the contact's style group; null or unknown: the scorer for all contacts
 */
export function scorerOf(styleProfile: unknown, group: string | null): Scorer | null {
  if (typeof styleProfile !== "object" || styleProfile === null) return null;
  const scorer = scorerIn(styleProfile);
  if (scorer === null) return null;
  const { weights, bias, whole, groups } = scorer;
  return { weights, bias, ...(group === null ? whole : (groups[group] ?? whole)) };
}
