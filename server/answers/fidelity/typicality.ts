/**
 * Measures whether a block of messages resembles the owner's own blocks. Texts that only exploit the verifier (a caricature, a mantra) do
 * not.
 */
import { deflateRawSync } from "node:zlib";

const WORDS_MEASURED = 120;
const TOLERANCE = 1.5;
const WORD = /[\p{L}\p{N}]+/gu;

export interface Block {
  texts: readonly string[];
  logits: readonly number[];
}

/** Mean and standard deviation of each measure over the owner's blocks, and the 99 % quantile of their distances. */
export interface Norms {
  means: readonly number[];
  deviations: readonly number[];
  farthest: number;
}

/** Measures marked `upwards` count only above the owner's mean. */
const SIDES = ["upwards", "both", "both", "both", "both", "both", "both"] as const;

function measures({ texts, logits }: Block): number[] {
  const lengths = texts.map((text) => Math.log(1 + text.length));
  const joined = texts.join("\n");
  const words = [...joined.toLowerCase().matchAll(WORD)].slice(0, WORDS_MEASURED).map(([word]) => word);
  const bytes = Buffer.from(joined);
  return [
    mean(logits),
    deviation(logits),
    mean(lengths),
    deviation(lengths),
    words.length === 0 ? 0 : new Set(words).size / words.length,
    bytes.length === 0 ? 1 : deflateRawSync(bytes).length / bytes.length,
    new Set(texts).size / texts.length,
  ];
}

/** @param source drawnFrom: the number of messages from which the blocks were drawn */
export function normsOf(blocks: readonly Block[], { drawnFrom }: { drawnFrom: number }): Norms {
  const rows = blocks.map(measures);
  const columns = SIDES.map((_, at) => rows.map((row) => row[at]!));
  const means = columns.map(mean);
  // A constant measure (every message distinct) must not make any difference infinite.
  const deviations = columns.map((column, at) => Math.max(deviation(column), 0.02 * Math.abs(means[at]!), 1e-3));
  const norms = { means, deviations, farthest: 0 };
  const distances = rows.map((row) => distance(row, norms)).toSorted((a, b) => a - b);
  const farthest = distances[Math.floor(0.99 * (distances.length - 1))]!;
  // Blocks of few messages overlap, so a new block is farther from their mean than they are from each other.
  const size = blocks[0]!.texts.length;
  const overlap = Math.sqrt((1 + size / drawnFrom) / Math.max(0.1, 1 - size / drawnFrom));
  return { means, deviations: deviations.map((one) => one * overlap), farthest };
}

/** Returns 1 within 1.5 times the range of the owner's own blocks; falls exponentially beyond it. */
export function typicality(block: Block, norms: Norms): number {
  const beyond = distance(measures(block), norms) - TOLERANCE * norms.farthest;
  return beyond <= 0 ? 1 : Math.exp(-beyond);
}

function distance(row: readonly number[], { means, deviations }: Norms): number {
  const distances = row.map((value, at) => {
    const z = (value - means[at]!) / deviations[at]!;
    return SIDES[at] === "both" ? Math.abs(z) : Math.max(0, z);
  });
  return Math.max(...distances);
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}
