/**
 * Measures how closely a twin imitates its owner: √(S · D). S is the probability that a person like the owner wrote blocks of twenty
 * replies. It comes from a verifier trained on the owner and the people of his chats. D is how poorly a classifier separates the replies
 * from the owner's true ones. A caricature can fool a verifier alone, and noise can fool a classifier alone.
 */
import { auc } from "./auc.ts";
import { probability } from "./calibration.ts";
import { type Evidence, isRough, splitPeople } from "./evidence.ts";
import { type Reader, trainReader, type Wording } from "./fluency.ts";
import { type Separation, separate } from "./indistinguishability.ts";
import { intervalOf } from "./interval.ts";
import { BLOCK, blocksOf, type LearnedOwner, learnOwner, scoreOf } from "./learned-owner.ts";
import { mean, typicality } from "./typicality.ts";
import { shuffled } from "./verifier.ts";

export const MAX_JUDGED_REPLIES = 100;
/** Maximum number of the owner's messages, newest first; more do not improve the result. */
const POSITIVES = 6000;
const JUDGED_ROUNDS = 4;
const STRANGERS = 6;
const MIN_GAP = 0.05;
const RESAMPLES = 200;

export interface Fidelity {
  /** √(S · D), 0..1; see the head of this file. */
  value: number;
  /** Lower and upper bound of the value's 90 % bootstrap interval. */
  low: number;
  high: number;
  /** S: mean calibrated probability of authorship times typicality over blocks, times the fluency of all replies. */
  verified: number;
  /** D: 1 when the replies are no easier to separate from the true ones than the owner's older messages; 0 when as easy as a stranger's. */
  indistinguishable: number;
}

export interface Judge {
  /** @param replies to the contexts of `held`, normalised, at least `MIN_TO_MEASURE.held` */
  judge(replies: readonly string[]): Fidelity;
  /** The verifier's uncalibrated log-odds that the owner wrote the text. */
  opinion(text: string): number;
  /** Fidelity of the owner's own older messages; `floor`: of strangers. A twin's figure lies between the two. */
  ceiling(): Fidelity;
  floor(): Fidelity;
}

/** Learns the owner from the evidence once, for any number of twins. `missingEvidence(evidence)` must be null. */
export function trainJudge(evidence: Evidence, random: () => number): Judge {
  const own = evidence.own.slice(-POSITIVES);
  const held = evidence.held.slice(-MAX_JUDGED_REPLIES);
  const rounds = splitPeople(evidence.people, random).map((parting) => learnOwner(own, parting, random));
  const others = [...evidence.people.values()].flat();
  const reader = trainReader({ own, memory: evidence.memory, others, held }, random);
  const stage: Stage = { rounds, reader, held, rough: isRough(evidence), random };
  const older = ofOwner(own, stage);
  const strangers = ofStrangers(stage);
  const scale = scaleOf(older, strangers, random);
  return {
    judge(replies) {
      const texts = replies.slice(-MAX_JUDGED_REPLIES);
      const opinions = rounds.map((round) => ({ round, logits: texts.map(round.logit) }));
      return fidelityOf(
        { texts, opinions, wordings: reader.read(texts), separation: separate(texts, held, random) },
        stage,
        scale,
      );
    },
    opinion: (text) => mean(rounds.map(({ logit }) => logit(text))),
    ceiling: () => fidelityOf(older, stage, scale),
    floor: () => average(strangers.map((stranger) => fidelityOf(stranger, stage, scale))),
  };
}

interface Stage {
  /** One training round each, or one per person when there are few people. */
  rounds: readonly LearnedOwner[];
  reader: Reader;
  held: readonly string[];
  rough: boolean;
  random: () => number;
}

interface Candidate {
  texts: readonly string[];
  opinions: { round: LearnedOwner; logits: ArrayLike<number> }[];
  wordings: Wording[];
  separation: Separation;
}

function ofOwner(own: readonly string[], { rounds, reader, held, random }: Stage): Candidate {
  const places = shuffled([...own.keys()], random).slice(0, held.length);
  const texts = places.map((place) => own[place]!);
  return {
    texts,
    opinions: rounds.map((round) => ({ round, logits: places.map((place) => round.own.logits[place]!) })),
    wordings: reader.read(texts, places),
    separation: separate(texts, held, random),
  };
}

/** Returns strangers' messages, each judged by a verifier that was not trained on them. */
function ofStrangers({ rounds, reader, held, random }: Stage): Candidate[] {
  const people = rounds.flatMap((round) => round.people.map((person) => ({ round, person })));
  return shuffled(people, random)
    .slice(0, STRANGERS)
    .map(({ round, person }) => {
      const places = shuffled([...person.texts.keys()], random).slice(0, held.length);
      const texts = places.map((place) => person.texts[place]!);
      return {
        texts,
        opinions: [{ round, logits: places.map((place) => person.logits[place]!) }],
        wordings: reader.read(texts),
        separation: separate(texts, held, random),
      };
    });
}

function average(all: readonly Fidelity[]): Fidelity {
  const of = (field: keyof Fidelity) => mean(all.map((one) => one[field]));
  return {
    value: of("value"),
    low: of("low"),
    high: of("high"),
    verified: of("verified"),
    indistinguishable: of("indistinguishable"),
  };
}

const areaOf = ({ left, right }: Separation): number => auc(left, right);

interface Scale {
  strangers: number;
  owner: number;
}

function scaleOf(older: Candidate, strangers: readonly Candidate[], random: () => number): Scale & { drawn: Scale[] } {
  const areas = strangers.map(({ separation }) => areaOf(separation));
  const drawn = Array.from({ length: RESAMPLES }, () => ({
    strangers: mean(
      draw(strangers, strangers.length, random).map(({ separation }) => areaOf(again(separation, random))),
    ),
    owner: areaOf(again(older.separation, random)),
  }));
  return { strangers: mean(areas), owner: areaOf(older.separation), drawn };
}

const draw = <T>(items: readonly T[], count: number, random: () => number): T[] =>
  Array.from({ length: count }, () => items[Math.floor(random() * items.length)]!);

const again = ({ left, right }: Separation, random: () => number): Separation => ({
  left: draw(left, left.length, random),
  right: draw(right, right.length, random),
});

function fidelityOf(
  { texts, opinions, wordings, separation }: Candidate,
  { reader, rough, random }: Stage,
  scale: ReturnType<typeof scaleOf>,
): Fidelity {
  const size = Math.max(1, Math.floor(texts.length / BLOCK));
  const blocks = opinions.map(({ round: { calibration, norms }, logits }) =>
    blocksOf({ texts, logits }, JUDGED_ROUNDS * size, random).map(
      (block) => probability(calibration, scoreOf(block)) * typicality(block, norms),
    ),
  );
  const indistinguishable = (scores: Separation, { strangers, owner }: Scale) =>
    Math.min(1, Math.max(0, (strangers - areaOf(scores)) / Math.max(MIN_GAP, strangers - owner)));
  const drawn = scale.drawn.map((another) => {
    const verified = mean(draw(blocks, blocks.length, random).map((round) => mean(draw(round, size, random))));
    const fluent = reader.fluency(draw(wordings, wordings.length, random));
    return Math.sqrt(verified * fluent * indistinguishable(again(separation, random), another));
  });
  const s = mean(blocks.map(mean)) * reader.fluency(wordings);
  const d = indistinguishable(separation, scale);
  const value = Math.sqrt(s * d);
  return { value, ...intervalOf(value, drawn, rough), verified: s, indistinguishable: d };
}
