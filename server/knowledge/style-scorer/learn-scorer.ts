/**
 * Learns how an owner's turns differ from other people's: a naive likelihood ratio for each family of habits, weighted by a linear
 * discriminant (Fisher 1936). The result is small, fast and interpretable.
 */
import { extentOf, FAMILIES, type Family, type Habits, habitsOf, SIZES } from "./habits.ts";
import { BAND_COUNT, bandOf, familyScores, nearnessOf } from "./score-turn.ts";
import type { MeasureSpread, OwnersScorer, ScorerStyle } from "./stored-scorer.ts";
import type { SampledTurn } from "./turn-sample.ts";

/** Minimum number of turns per side; fewer show only chance differences. */
const MIN_TURNS = 60;
const MIN_PER_GROUP = 30;
/** Weight of the pooled distribution of both sides as a prior, in pseudo-observations. */
const PRIOR = 10;
/** Weight of the owner's overall distribution as a prior for a group, in pseudo-observations. */
const GROUP_PRIOR = 60;
/** This share of the mean variance is added to each variance, because few turns make an unreliable covariance matrix. */
const SHRINKAGE = 0.2;
const HUNDREDTHS = 100;
/** Quantile of the owner's own scores that is close enough; a higher score would exceed the owner's typical turns. */
const NEAR_ENOUGH = 0.5;

/** Quantiles of the owner's turn lengths outside which a reply is short or long for him. */
const LENGTHS = [0.1, 0.9] as const;

type Counts = Record<Family, Float64Array>;

interface Seen {
  turn: SampledTurn;
  habits: Habits;
}

/**
 * @returns null when there are too few turns of the owner or of others
 * @param groupOf key of each contact's style group
 */
export function learnScorer(
  { own, others }: { own: readonly SampledTurn[]; others: readonly SampledTurn[] },
  groupOf: ReadonlyMap<number, string>,
): OwnersScorer | null {
  if (own.length < MIN_TURNS || others.length < MIN_TURNS) return null;
  const [mine, theirs] = [own.map(see), others.map(see)];
  const [mineScored, theirsScored] = outOfFold(mine, theirs);
  const { weights, bias } = discriminant(mineScored, theirsScored);
  const unseen = new Map(mine.map((turn, at) => [turn, nearnessOf(mineScored[at]!, { weights, bias })]));
  const [mineCounted, theirsCounted] = [countsOf(mine), countsOf(theirs)];
  const pooled = together(mineCounted, theirsCounted);
  const [mineShares, theirsShares] = [sharesOf(mineCounted, pooled, PRIOR), sharesOf(theirsCounted, pooled, PRIOR)];
  const targetStyle = (shares: Counts, turns: readonly Seen[]): ScorerStyle => ({
    odds: oddsOfShares(shares, theirsShares),
    spreads: spreadsOf(turns, (turn) => unseen.get(turn)!),
  });
  const byGroup = Map.groupBy(mine, ({ turn }) => (turn.contactId === null ? undefined : groupOf.get(turn.contactId)));
  const groups = [...byGroup].flatMap(([key, turns]): [string, ScorerStyle][] =>
    key === undefined || turns.length < MIN_PER_GROUP
      ? []
      : [[key, targetStyle(sharesOf(countsOf(turns), mineShares, GROUP_PRIOR), turns)]],
  );
  return { version: 1, weights, bias, whole: targetStyle(mineShares, mine), groups: Object.fromEntries(groups) };
}

const see = (turn: SampledTurn): Seen => ({ turn, habits: habitsOf(turn.text) });

function countsOf(turns: readonly Seen[]): Counts {
  const counts = byFamily((family) => new Float64Array(SIZES[family]));
  for (const { habits } of turns) for (const family of FAMILIES) for (const at of habits[family]) counts[family][at]!++;
  return counts;
}

const byFamily = <T>(of: (family: Family) => T): Record<Family, T> =>
  Object.fromEntries(FAMILIES.map((family) => [family, of(family)])) as Record<Family, T>;

const together = (one: Counts, other: Counts): Counts =>
  byFamily((family) => one[family].map((count, at) => count + other[family][at]! + 0.5));

/** Dirichlet smoothing (Zhai & Lafferty 2004) towards `general`, which need not sum to one. */
function sharesOf(counts: Counts, general: Counts, prior: number): Counts {
  return byFamily((family) => {
    const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0);
    const [total, all] = [sum(counts[family]), sum(general[family])];
    return counts[family].map((count, at) => (count + (prior * general[family][at]!) / all) / (total + prior));
  });
}

/** Returns log-likelihood ratios in hundredths, rounded. */
const oddsOfShares = (mine: Counts, theirs: Counts): Record<Family, number[]> =>
  byFamily((family) =>
    Array.from(mine[family], (share, at) => whole(HUNDREDTHS * Math.log(share / theirs[family][at]!))),
  );

/** Scores each turn with ratios learnt without it (out of fold), because scores of training turns are too high. */
function outOfFold(mine: readonly Seen[], theirs: readonly Seen[]): [number[][], number[][]] {
  const parts = (turns: readonly Seen[]) => [0, 1].map((fold) => turns.filter((_, at) => at % 2 === fold));
  const [ours, others] = [parts(mine), parts(theirs)];
  const odds = [0, 1].map((fold) => {
    const counted = [countsOf(ours[1 - fold]!), countsOf(others[1 - fold]!)] as const;
    const pooled = together(...counted);
    return oddsOfShares(sharesOf(counted[0], pooled, PRIOR), sharesOf(counted[1], pooled, PRIOR));
  });
  const scored = (turns: readonly Seen[]) => turns.map(({ habits }, at) => familyScores(habits, odds[at % 2]!));
  return [scored(mine), scored(theirs)];
}

/**
 * Fisher's discriminant, scaled to standard deviations of both sides' turns with equal weight; 0 is the middle between the sides.
 * Log-odds are not used, because they are unbounded for people who differ clearly and would outweigh everything else.
 */
function discriminant(mine: number[][], theirs: number[][]): { weights: number[]; bias: number } {
  const [ours, others] = [mine, theirs].map((rows) => FAMILIES.map((_, at) => mean(rows.map((row) => row[at]!)))) as [
    number[],
    number[],
  ];
  const centred = [...mine.map((row) => less(row, ours)), ...theirs.map((row) => less(row, others))];
  const covariance = FAMILIES.map((_, a) => FAMILIES.map((__, b) => mean(centred.map((row) => row[a]! * row[b]!))));
  const ridge = SHRINKAGE * mean(covariance.map((row, at) => row[at]!)) + 1e-6;
  const raised = covariance.map((row, a) => row.map((value, b) => (a === b ? value + ridge : value)));
  // A higher score in one family must never count against a reply. Negative weights may separate people, but not replies of a model.
  const direction = solved(raised, less(ours, others)).map((weight) => Math.max(0, weight));
  const within = mean(centred.map((row) => product(row, direction) ** 2));
  const deviation = Math.sqrt(within + (product(less(ours, others), direction) / 2) ** 2) || 1;
  const weights = direction.map((weight) => weight / deviation);
  const middle = (product(ours, weights) + product(others, weights)) / 2;
  return { weights: weights.map(rounded), bias: rounded(-middle) };
}

const less = (row: readonly number[], other: readonly number[]) => row.map((value, at) => value - other[at]!);
const product = (row: readonly number[], other: readonly number[]) =>
  row.reduce((sum, value, at) => sum + value * other[at]!, 0);

/** Gaussian elimination. The matrix is positive definite, because its diagonal was increased. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot++) {
    for (let below = pivot + 1; below < size; below++) {
      const factor = rows[below]![pivot]! / rows[pivot]![pivot]!;
      for (let at = pivot; at <= size; at++) rows[below]![at]! -= factor * rows[pivot]![at]!;
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let at = size - 1; at >= 0; at--) {
    const known = rows[at]!.slice(at + 1, size).reduce((sum, value, next) => sum + value * solution[at + 1 + next]!, 0);
    solution[at] = (rows[at]![size]! - known) / rows[at]![at]!;
  }
  return solution;
}

/** Ranges per length band; a band with few turns uses all turns. @param nearness out-of-fold score of each turn */
function spreadsOf(turns: readonly Seen[], nearness: (turn: Seen) => number): MeasureSpread[] {
  return Array.from({ length: BAND_COUNT }, (_, band) => {
    const like = turns.filter(({ turn }) => bandOf(turn.text) === band);
    const used = like.length >= MIN_PER_GROUP ? like : turns;
    const extents = used.map(({ turn }) => extentOf(turn.text));
    const scores = sorted(used.map(nearness));
    const between = (values: readonly number[]): [number, number] => [at(values, 0.025), at(values, 0.975)];
    // Lengths come from all turns, so that a turn is not rated down for its length alone.
    const lengths = sorted(turns.map(({ turn }) => extentOf(turn.text).length));
    return {
      function: between(sorted(extents.map((one) => one.function))),
      marks: between(sorted(extents.map((one) => one.marks))),
      fresh: between(sorted(extents.map((one) => one.fresh))),
      length: [at(lengths, LENGTHS[0]), at(lengths, LENGTHS[1])],
      nearness: at(scores, NEAR_ENOUGH),
    };
  });
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const at = (values: readonly number[], share: number): number =>
  rounded(values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
/** Turns −0 into 0, because JSON has no −0. */
const whole = (value: number): number => Math.round(value) || 0;
const rounded = (value: number): number => whole(value * 1000) / 1000;
