// The mean of several people's measures, with an interval: people are drawn anew, and each figure within its own interval.
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { Measure, Row } from "./manner.ts";

const DRAWS = 4_000;
const TAIL = 0.05;

/** @param asked which prompts they are; people whose figure is lacking count nothing */
export function meanRow(asked: string, measures: readonly Measure[]): Row {
  const known = measures.flatMap(({ value, low, high }) => (value === null ? [] : [{ value, low: low!, high: high! }]));
  if (known.length === 0) return { name: `mean of 0`, asked, value: "–" };
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
