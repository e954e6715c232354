// Measures as rows of a table, and the mean of several people's.
import type { fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";

export type Row = Record<string, string | number>;
export type Measure = typeof fidelityMeasures.$inferSelect;

const shown = (figure: number | null | undefined): string => (figure == null ? "–" : figure.toFixed(2));

/** @param asked which prompts they are */
export const rowOf = (name: string, asked: string, measure: Measure, samples: number): Row => ({
  ...{ name, asked, value: shown(measure.value), interval: `${shown(measure.low)}–${shown(measure.high)}` },
  ...{ S: shown(measure.verified), D: shown(measure.indistinguishable) },
  ...{ copies: shown(measure.copyRate), relevance: shown(measure.relevance), judged: measure.held },
  "left to the owner": measure.handedOver,
  ...{ owner: shown(measure.ceiling), others: shown(measure.floor), samples, lacking: measure.lacking ?? "" },
});

/** A control whose replies are mostly whole messages of the owner is known by its copies. */
export const controlRow = (name: string, control: string, { value, low, high, copyRate }: Measure): Row => ({
  ...{ name, control, value: shown(value), interval: `${shown(low)}–${shown(high)}`, copies: shown(copyRate) },
});

const DRAWS = 4_000;
const TAIL = 0.05;

/**
 * Returns the mean with an interval: people are drawn anew, and each figure within its own interval.
 * @param asked which prompts they are; people whose figure is lacking count nothing
 */
export function meanRow(asked: string, measures: readonly Measure[]): Row {
  const known = measures.flatMap(({ value, low, high }) => (value === null ? [] : [{ value, low: low!, high: high! }]));
  if (known.length === 0) return { name: "mean of 0", asked, value: "–" };
  const random = seededRandom(`mean of ${asked}`);
  const means = Array.from({ length: DRAWS }, () => {
    const drawn = known.map(() => known[Math.floor(random() * known.length)]!);
    return drawn.reduce((sum, one) => sum + within(one, random), 0) / drawn.length;
  }).toSorted((a, b) => a - b);
  const at = (share: number) => means[Math.floor(share * DRAWS)]!.toFixed(2);
  const mean = (field: (measure: Measure) => number | null) => {
    const values = measures.flatMap((measure) => field(measure) ?? []);
    return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(2);
  };
  return {
    ...{
      name: `mean of ${known.length}`,
      asked,
      value: mean(({ value }) => value),
      interval: `${at(TAIL)}–${at(1 - TAIL)}`,
    },
    ...{ copies: mean(({ copyRate }) => copyRate), relevance: mean(({ relevance }) => relevance) },
  };
}

/** A value of a triangle over the interval whose peak is the figure. */
function within({ value, low, high }: { value: number; low: number; high: number }, random: () => number): number {
  const share = high > low ? (value - low) / (high - low) : 0;
  const place = random();
  if (high <= low) return value;
  return place < share
    ? low + Math.sqrt(place * (high - low) * (value - low))
    : high - Math.sqrt((1 - place) * (high - low) * (high - value));
}
