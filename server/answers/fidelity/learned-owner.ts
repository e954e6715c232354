/** A trained verifier for one owner, with the scores of the owner's own and other people's blocks. */
import { type Calibration, calibrate } from "./calibration.ts";
import type { PeopleSplit } from "./evidence.ts";
import { commonWords, featureSpace, GramCounts } from "./features.ts";
import { type Block, mean, type Norms, normsOf } from "./typicality.ts";
import { shuffled, trainVerifier } from "./verifier.ts";

export const BLOCK = 20;
const NEGATIVES = 6000;
const FOLDS = 4;
const NORM_BLOCKS = 200;

interface Scored {
  texts: readonly string[];
  logits: ArrayLike<number>;
}

export interface LearnedOwner {
  /** Uncalibrated log-odds that the owner wrote the text. */
  logit: (text: string) => number;
  calibration: Calibration;
  norms: Norms;
  /** The owner's messages, scored by verifiers that were not trained on them; `people`: the same for each other person. */
  own: Scored;
  people: Scored[];
}

/** A verifier that has not seen them scores the owner's messages; the mean of all verifiers scores those of unseen people. */
export function learnOwner(
  own: readonly string[],
  { background, unseen }: PeopleSplit,
  random: () => number,
): LearnedOwner {
  const others = shuffled(background, random).slice(0, NEGATIVES);
  const space = featureSpace([...own, ...others], new GramCounts({ common: commonWords(background) }));
  const vectors = (texts: readonly string[]) => texts.map((text) => space.vector(text));
  const [positives, negatives] = [vectors(own), vectors(others)];
  const folds = shuffled([...own.keys()], random).map((place, at) => ({ place, fold: at % FOLDS }));
  const logits = new Float64Array(own.length);
  const people = unseen.map((texts) => ({ texts, vectors: vectors(texts), logits: new Float64Array(texts.length) }));
  for (let fold = 0; fold < FOLDS; fold++) {
    const kept = folds.filter((one) => one.fold !== fold).map(({ place }) => positives[place]!);
    const verifier = trainVerifier(kept, negatives, random);
    for (const { place } of folds.filter((one) => one.fold === fold)) {
      logits[place] = verifier.logit(positives[place]!);
    }
    for (const person of people) {
      for (const [at, vector] of person.vectors.entries()) person.logits[at]! += verifier.logit(vector) / FOLDS;
    }
  }
  const mine = blocksOf({ texts: own, logits }, NORM_BLOCKS, random);
  const each = Math.ceil(NORM_BLOCKS / people.length);
  const theirs = people.flatMap((person) => blocksOf(person, each, random));
  const verifier = trainVerifier(positives, negatives, random);
  return {
    logit: (text) => verifier.logit(space.vector(text)),
    calibration: calibrate(mine.map(scoreOf), theirs.map(scoreOf)),
    norms: normsOf(mine, { drawnFrom: own.length }),
    own: { texts: own, logits },
    people,
  };
}

export const scoreOf = ({ logits }: Block): number => mean(logits);

/** Returns `count` blocks of twenty messages in which each message occurs equally often; with fewer messages one block of all. */
export function blocksOf({ texts, logits }: Scored, count: number, random: () => number): Block[] {
  const size = Math.min(BLOCK, texts.length);
  const blocks: Block[] = [];
  while (blocks.length < count) {
    const order = shuffled([...texts.keys()], random);
    for (let at = 0; at + size <= order.length && blocks.length < count; at += size) {
      const places = order.slice(at, at + size);
      blocks.push({
        texts: places.map((place) => texts[place]!),
        logits: places.map((place) => logits[place]!),
      });
    }
  }
  return blocks;
}
