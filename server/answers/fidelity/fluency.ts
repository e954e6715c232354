/**
 * Judges whether replies read like text by a human: words in a meaningful order, not pieced together from source messages or from the
 * same pieces repeatedly. All replies are judged together, because a block of twenty is too small.
 */
import { commonWords } from "./features.ts";
import { type OrderGain, trainGrammar } from "./grammar.ts";
import { type Echo, findEchoes, type Patchwork, RUNS, remember } from "./patchwork.ts";
import { deviation, mean } from "./typicality.ts";
import { shuffled } from "./verifier.ts";

export interface Wording {
  order: OrderGain;
  patchwork: Patchwork;
  echo: Echo;
}

export interface Reader {
  /** @param places indexes among the owner's messages; these are judged as if they were not known */
  read(texts: readonly string[], places?: readonly number[]): Wording[];
  /** Returns 1 within the tolerated distance from the owner; falls exponentially beyond it. */
  fluency(wordings: readonly Wording[]): number;
}

interface Known {
  /** The owner's messages that the twin does not know; `memory`: those that it knows. */
  own: readonly string[];
  memory: readonly string[];
  others: readonly string[];
  /** The owner's true replies to the test messages, one per judged reply; deviations that they reach are tolerated. */
  held: readonly string[];
}

const GRAMMAR_OF = 6000;
/** Number of the owner's messages that are analysed; more do not improve the result. */
const READ = 1500;
const DRAWS = 200;
const ECHO_DRAWS = 40;
/** Multiple of the greatest distance that the owner's samples and true replies reach. */
const TOLERANCE = 1.5;
/**
 * Minimum spread of each measure; a smaller one is chance. In nats per word (a few unknown words), in runs of all replies, and as the
 * share that one or two set phrases repeat.
 */
const MIN_GAIN = 0.08;
const MIN_RUNS = 3;
const MIN_ECHO = 0.01;

/** A sum per word or run over all replies. Only a deviation in the direction of `unlike` is a fault. */
interface Measure {
  of: (wording: Wording) => readonly [sum: number, count: number];
  unlike: 1 | -1;
}

const ORDER: readonly Measure[] = [
  { of: ({ order }) => [order.pair, order.tokens], unlike: -1 },
  { of: ({ order }) => [order.triple, order.tokens], unlike: -1 },
];
const PATCHWORK: readonly Measure[] = RUNS.map((_, at) => ({
  of: ({ patchwork }) => [patchwork.patched[at]!, patchwork.runs[at]!],
  unlike: 1,
}));
const ECHOES: readonly Measure[] = [{ of: ({ echo }) => [echo.echoed, echo.runs], unlike: 1 }];

export function trainReader({ own, memory, others, held }: Known, random: () => number): Reader {
  const heard = shuffled(others, random).slice(0, GRAMMAR_OF);
  const grammar = trainGrammar([...heard, ...own], commonWords(heard));
  const source = remember([...memory, ...own]);
  const read: Reader["read"] = (texts, places) => {
    const echoed = findEchoes(texts);
    return texts.map((text, at) => ({
      order: grammar.gain(text, places !== undefined),
      patchwork: source.patchwork(text, places && memory.length + places[at]!),
      echo: echoed[at]!,
    }));
  };
  const size = held.length;
  const known = shuffled([...own.keys()], random).slice(0, READ);
  const mine = read(
    known.map((place) => own[place]!),
    known,
  );
  const truth = read(held);
  const drawn = Array.from({ length: DRAWS }, () =>
    Array.from({ length: size }, () => mine[Math.floor(random() * mine.length)]!),
  );
  // The mean of few messages is itself uncertain.
  const spread = Math.sqrt(1 + size / own.length);
  // With half as many messages, each one meets half as many others.
  const few = Math.min(size, Math.floor(own.length / 2));
  const apart = Array.from({ length: ECHO_DRAWS }, () => {
    const places = shuffled(known, random).slice(0, few);
    return findEchoes(places.map((place) => own[place]!)).map((echo) => ({ ...mine[0]!, echo }));
  });
  const groups = [
    normsOf(ORDER, drawn, truth, { spread }),
    normsOf(PATCHWORK, drawn, truth, { spread }),
    normsOf(ECHOES, apart, truth, { spread: Math.SQRT2, scale: size / few }),
  ];
  return { read, fluency: (wordings) => Math.exp(-groups.reduce((sum, norms) => sum + beyond(wordings, norms), 0)) };
}

interface Norms {
  measures: readonly Measure[];
  means: readonly number[];
  deviations: readonly number[];
  tolerated: number;
}

function figureOf(measure: Measure, wordings: readonly Wording[]): number {
  let [sum, count] = [0, 0];
  for (const wording of wordings) {
    const [part, of] = measure.of(wording);
    sum += part;
    count += of;
  }
  return sum / Math.max(1, count);
}

/**
 * @param options `spread`: deviation of another sample from the mean, in standard deviations of these; `scale`: that of
 * a full-sized
 * sample
 */
function normsOf(
  measures: readonly Measure[],
  samples: readonly (readonly Wording[])[],
  held: readonly Wording[],
  { spread, scale = 1 }: { spread: number; scale?: number },
): Norms {
  const rows = samples.map((wordings) => measures.map((measure) => scale * figureOf(measure, wordings)));
  const columns = measures.map((_, at) => rows.map((row) => row[at]!));
  const means = columns.map(mean);
  const minDeviation = ({ of }: Measure): number => {
    if (measures === ORDER) return MIN_GAIN;
    if (measures === ECHOES) return MIN_ECHO;
    return (
      MIN_RUNS /
      Math.max(
        1,
        held.reduce((sum, one) => sum + of(one)[1], 0),
      )
    );
  };
  const deviations = columns.map((column, at) => Math.max(deviation(column), minDeviation(measures[at]!)));
  const norms = { measures, means, deviations };
  const distances = rows.map((row) => distance(row, norms)).toSorted((a, b) => a - b);
  const farthest = distances[Math.floor(0.99 * (rows.length - 1))]!;
  const wide = { ...norms, deviations: deviations.map((one) => one * spread) };
  const truth = distance(
    measures.map((measure) => figureOf(measure, held)),
    wide,
  );
  return { ...wide, tolerated: TOLERANCE * Math.max(farthest, truth) };
}

function beyond(wordings: readonly Wording[], norms: Norms): number {
  const row = norms.measures.map((measure) => figureOf(measure, wordings));
  return Math.max(0, distance(row, norms) - norms.tolerated);
}

/** Returns the greatest deviation of any measure in its unlike direction, in standard deviations. */
function distance(row: readonly number[], { measures, means, deviations }: Omit<Norms, "tolerated">): number {
  return Math.max(0, ...row.map((value, at) => (measures[at]!.unlike * (value - means[at]!)) / deviations[at]!));
}
