/**
 * How much a twin's replies are like their owner's: √(S · D), of S, what a verifier that knows the owner from the other people of
 * the owner's chats says of blocks of twenty replies, and D, how badly a classifier tells the replies from what the owner really
 * answered. A verifier alone can be gamed by a caricature, a classifier alone by noise.
 */
import { LEAST_TO_MEASURE } from "#contract/quality.ts";
import { auc } from "./auc.ts";
import { type Calibration, calibrate, probability } from "./calibration.ts";
import { commonWords, featureSpace } from "./features.ts";
import { type Grammar, trainGrammar } from "./grammar.ts";
import { type Separation, separate } from "./indistinguishability.ts";
import { type Block, mean, type Norms, normsOf, typicality } from "./typicality.ts";
import { shuffled, trainVerifier } from "./verifier.ts";

/** Replies to a block, and replies that are judged at most. */
export const BLOCK = 20;
export const JUDGED = 100;
const NEGATIVES = 6000;
/** A longer history says no more: the newest are taken. */
const POSITIVES = 6000;
const FOLDS = 4;
const NORM_BLOCKS = 200;
const JUDGED_ROUNDS = 4;
const RESAMPLES = 200;
const STRANGERS = 6;
const LEAST_GAP = 0.05;
/** More of them, or more of each, move neither calibration nor the strangers' floor. */
const UNSEEN_PEOPLE = 40;
const UNSEEN_MESSAGES = 400;

/** All texts are normalised (normalise.ts). */
export interface Evidence {
  /** Messages of the owner that the twin under test does not know, oldest first. */
  own: readonly string[];
  /** The other people of the owner's chats, each with their messages. Never other users' people. */
  people: ReadonlyMap<string, readonly string[]>;
  /** What the owner really answered in the newest sessions: unknown to the twin and to the verifier. */
  held: readonly string[];
}

export interface Likeness {
  /** √(S · D), 0..1 */
  value: number;
  /** Its 90 % interval by bootstrap. */
  low: number;
  high: number;
  /** Mean calibrated probability times typicality of blocks: "the owner wrote it". */
  verified: number;
  /** 1: no better told from the owner's true replies than the owner's own older messages are; 0: as easily as a stranger's. */
  indistinguishable: number;
}

export interface Judge {
  /** @param replies normalised, to the contexts of `held`, at least `LEAST_TO_MEASURE.held` */
  judge(replies: readonly string[]): Likeness;
  /** Log-odds of the verifier that the owner wrote it, uncalibrated. */
  opinion(text: string): number;
  /** What the owner's own older messages reach, and what strangers do: the scale on which to read a twin's figure. */
  ceiling(): Likeness;
  floor(): Likeness;
}

/** What is missing for a measurement, or null. */
export function lacking({ own, people, held }: Evidence): "own" | "held" | "people" | null {
  if (own.length < LEAST_TO_MEASURE.own) return "own";
  if (held.length < LEAST_TO_MEASURE.held) return "held";
  const enough = [...people.values()].filter((texts) => texts.length >= LEAST_TO_MEASURE.ofAPerson);
  return enough.length < LEAST_TO_MEASURE.people ? "people" : null;
}

/** Learns the owner from the evidence, once for any number of twins. Nothing may be lacking. */
export function trainJudge(evidence: Evidence, random: () => number): Judge {
  const learned = learn(evidence, random);
  const held = evidence.held.slice(-JUDGED);
  const told = (texts: readonly string[]) => separate(texts, held, random);
  const strangers = shuffled(learned.people, random)
    .slice(0, STRANGERS)
    .map((person) => sample(person, random));
  const older = sample(learned.own, random);
  const separations = { older: told(older.texts), strangers: strangers.map(({ texts }) => told(texts)) };
  const scale = { strangers: mean(separations.strangers.map(areaOf)), owner: areaOf(separations.older) };
  const likeness = (scored: Scored, separation: Separation) => likenessOf(scored, learned, separation, scale, random);
  return {
    judge(replies) {
      const texts = replies.slice(-JUDGED);
      return likeness({ texts, logits: texts.map(learned.logit) }, told(texts));
    },
    opinion: learned.logit,
    ceiling: () => likeness(older, separations.older),
    floor: () => average(strangers.map((stranger, at) => likeness(stranger, separations.strangers[at]!))),
  };
}

const areaOf = ({ left, right }: Separation): number => auc(left, right);

function average(all: readonly Likeness[]): Likeness {
  const of = (field: keyof Likeness) => mean(all.map((one) => one[field]));
  return {
    value: of("value"),
    low: of("low"),
    high: of("high"),
    verified: of("verified"),
    indistinguishable: of("indistinguishable"),
  };
}

/** Messages with the verifier's opinion of each. */
interface Scored {
  texts: readonly string[];
  logits: ArrayLike<number>;
}

function sample({ texts, logits }: Scored, random: () => number): Scored {
  const places = shuffled([...texts.keys()], random).slice(0, JUDGED);
  return { texts: places.map((place) => texts[place]!), logits: places.map((place) => logits[place]!) };
}

/** The verifier learns from the background; a third of the people that are known well stay unseen, for calibration and as strangers. */
function partPeople(people: Evidence["people"], random: () => number): { background: string[]; unseen: string[][] } {
  const sorted = [...people].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, texts]) => [...texts]);
  const known = shuffled(
    sorted.filter((texts) => texts.length >= LEAST_TO_MEASURE.ofAPerson),
    random,
  );
  const unseen = known.slice(0, Math.min(UNSEEN_PEOPLE, Math.ceil(known.length / 3)));
  return {
    background: sorted.filter((texts) => !unseen.includes(texts)).flat(),
    unseen: unseen.map((texts) => shuffled(texts, random).slice(0, UNSEEN_MESSAGES)),
  };
}

interface Learned {
  logit: (text: string) => number;
  calibration: Calibration;
  norms: Norms;
  grammar: Grammar;
  /** Of messages that the verifier of their logits has not seen. */
  own: Scored;
  people: Scored[];
}

/** The owner's messages are scored by a verifier that has not seen them, those of unseen people by the mean of all. */
function learn(evidence: Evidence, random: () => number): Learned {
  const own = evidence.own.slice(-POSITIVES);
  const { background, unseen } = partPeople(evidence.people, random);
  const others = shuffled(background, random).slice(0, NEGATIVES);
  const common = commonWords(background);
  const grammar = trainGrammar(others, common);
  const space = featureSpace([...own, ...others], { common });
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
  const mine = blocksOf({ texts: own, logits }, grammar, NORM_BLOCKS, random);
  const each = Math.ceil(NORM_BLOCKS / people.length);
  const theirs = people.flatMap((person) => blocksOf(person, grammar, each, random));
  const verifier = trainVerifier(positives, negatives, random);
  return {
    logit: (text) => verifier.logit(space.vector(text)),
    calibration: calibrate(mine.map(scoreOf), theirs.map(scoreOf)),
    norms: normsOf(mine),
    grammar,
    own: { texts: own, logits },
    people,
  };
}

const scoreOf = ({ logits }: Block): number => mean(logits);

/** `count` blocks of twenty messages, each message equally often; with fewer messages one block of all. */
function blocksOf({ texts, logits }: Scored, grammar: Grammar, count: number, random: () => number): Block[] {
  const size = Math.min(BLOCK, texts.length);
  const blocks: Block[] = [];
  while (blocks.length < count) {
    const order = shuffled([...texts.keys()], random);
    for (let at = 0; at + size <= order.length && blocks.length < count; at += size) {
      const places = order.slice(at, at + size);
      const chosen = places.map((place) => texts[place]!);
      blocks.push({ texts: chosen, logits: places.map((place) => logits[place]!), order: grammar.gain(chosen) });
    }
  }
  return blocks;
}

function likenessOf(
  replies: Scored,
  { calibration, norms, grammar }: Learned,
  separation: Separation,
  scale: { strangers: number; owner: number },
  random: () => number,
): Likeness {
  const size = Math.max(1, Math.floor(replies.texts.length / BLOCK));
  const blocks = blocksOf(replies, grammar, JUDGED_ROUNDS * size, random);
  const verified = blocks.map((block) => probability(calibration, scoreOf(block)) * typicality(block, norms));
  const indistinguishable = (scores: Separation) =>
    Math.min(1, Math.max(0, (scale.strangers - areaOf(scores)) / Math.max(LEAST_GAP, scale.strangers - scale.owner)));
  const drawn = (values: readonly number[], count: number) =>
    Array.from({ length: count }, () => values[Math.floor(random() * values.length)]!);
  const resampled = Array.from({ length: RESAMPLES }, () => {
    const { left, right } = separation;
    const again = { left: drawn(left, left.length), right: drawn(right, right.length) };
    return Math.sqrt(mean(drawn(verified, size)) * indistinguishable(again));
  }).toSorted((a, b) => a - b);
  const [s, d] = [mean(verified), indistinguishable(separation)];
  const value = Math.sqrt(s * d);
  return {
    value,
    low: Math.min(value, resampled[Math.floor(0.05 * RESAMPLES)]!),
    high: Math.max(value, resampled[Math.floor(0.95 * RESAMPLES) - 1]!),
    verified: s,
    indistinguishable: d,
  };
}
