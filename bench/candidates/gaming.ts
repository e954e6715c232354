// Whether raising the scorer merely games the judge, or the judge the scorer: texts that no twin would write, picked of eight by the scorer or made of what it likes best.
import { MAX_JUDGED_REPLIES, trainJudge } from "#server/answers/fidelity/fidelity.ts";
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import { learnScorer } from "#server/knowledge/style/scorer/learn-scorer.ts";
import { scoreTurn } from "#server/knowledge/style/scorer/score-turn.ts";
import { type Scorer, scorerOf } from "#server/knowledge/style/scorer/stored-scorer.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { Corpus, Speaker } from "../material/speakers.ts";

const PEOPLE = 40;
/** Words of a caricature. */
const LENGTH = 8;

interface Stage {
  /** The owner's texts that the twin knows; the scorer learns from these only. */
  memory: readonly string[];
  scorer: Scorer;
  /** Texts of other people, unknown to scorer and judge. */
  strangers: readonly string[];
  held: readonly string[];
  later: readonly string[];
  random: () => number;
}

const pick = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)]!;
const hundred = (make: () => string) => Array.from({ length: MAX_JUDGED_REPLIES }, make);

function markov({ memory, random }: Stage): string {
  const next = new Map<string, string[]>();
  for (const text of memory) {
    const line = ["^", ...text.split(" "), "$"];
    for (const [at, word] of line.slice(1).entries()) next.set(line[at]!, [...(next.get(line[at]!) ?? []), word]);
  }
  const line: string[] = [];
  for (let word = pick(next.get("^")!, random); word !== "$" && line.length < 60; word = pick(next.get(word)!, random))
    line.push(word);
  return line.join(" ");
}

/** The owner's words that score highest on their own. */
function favourites({ memory, scorer }: Stage): string[] {
  const words = [...new Set(memory.flatMap((text) => text.split(" ")))];
  return words.toSorted((a, b) => scoreTurn(b, scorer).nearness - scoreTurn(a, scorer).nearness).slice(0, 30);
}

/** For each of a hundred texts, the best of `size` candidates by the scorer's `nearness` or by its `value`. */
const best = (make: () => string, { scorer }: Stage, size: number, by: "nearness" | "value" = "value") =>
  hundred(() => {
    const texts = Array.from({ length: size }, make);
    const scores = texts.map((text) => scoreTurn(text, scorer)[by]);
    return texts[scores.indexOf(Math.max(...scores))]!;
  });

/** Other people's real messages stand in for a fluent model that does not write like the owner. */
const ofStrangers = (size: number) => (stage: Stage) => best(() => pick(stage.strangers, stage.random), stage, size);

const twins: Record<string, (stage: Stage) => readonly string[]> = {
  "the owner, later": ({ later }) => later,
  strangers: ofStrangers(1),
  "strangers, best of 2": ofStrangers(2),
  "strangers, best of 4": ofStrangers(4),
  "strangers, best of 8": ofStrangers(8),
  Markov: (stage) => best(() => markov(stage), stage, 1),
  "Markov, best of 8": (stage) => best(() => markov(stage), stage, 8),
  "a caricature of the scorer's favourite words": (stage) => {
    const words = favourites(stage);
    return best(() => Array.from({ length: LENGTH }, () => pick(words, stage.random)).join(" "), stage, 1);
  },
  "… best of 8 by its nearness alone": (stage) => {
    const words = favourites(stage);
    return best(() => Array.from({ length: LENGTH }, () => pick(words, stage.random)).join(" "), stage, 8, "nearness");
  },
};

/** Mean over owners: `nearness` and `typical` are the scorer's, the others the judge's. */
export function gaming(corpus: Corpus, owners: readonly Speaker[]): Record<string, Record<string, string>> {
  const rows = new Map<string, Record<string, number>[]>();
  for (const owner of owners) {
    const random = seededRandom(`gaming of ${owner.name}`);
    const others = shuffled(
      corpus.everyone.filter((one) => one !== owner),
      random,
    ).slice(0, 3 * PEOPLE);
    const [ofJudge, ofScorer, unseen] = [0, 1, 2].map((third) => others.filter((_, at) => at % 3 === third));
    const older = owner.texts.slice(0, owner.newest);
    const newest = shuffled(owner.texts.slice(owner.newest), random).slice(0, 2 * MAX_JUDGED_REPLIES);
    const half = Math.floor(older.length / 2);
    const turns = (texts: readonly string[]) => texts.map((text) => ({ text, contactId: null }));
    const memory = older.slice(0, half);
    const scorer = scorerOf(
      {
        scorer: learnScorer({ own: turns(memory), others: turns(ofScorer!.flatMap(({ texts }) => texts)) }, new Map()),
      },
      null,
    );
    if (scorer === null) continue;
    const held = newest.slice(0, Math.ceil(newest.length / 2));
    const people = new Map(ofJudge!.map(({ name, texts }) => [name, texts]));
    const judge = trainJudge({ own: older.slice(half), people, held, memory }, random);
    const strangers = unseen!.flatMap(({ texts }) => texts);
    const stage = { memory, scorer, strangers, held, later: newest.slice(held.length), random };
    for (const [name, make] of Object.entries(twins)) {
      const texts = make(stage);
      const { value, verified, indistinguishable } = judge.judge(texts);
      const scores = texts.map((text) => scoreTurn(text, scorer));
      const row = {
        nearness: mean(scores.map(({ nearness }) => nearness)),
        typical: mean(scores.map(({ typicality }) => typicality)),
        ...{ value, S: verified, D: indistinguishable },
      };
      rows.set(name, [...(rows.get(name) ?? []), row]);
    }
  }
  return Object.fromEntries(
    [...rows].map(([name, all]) => [
      name,
      Object.fromEntries(Object.keys(all[0]!).map((key) => [key, mean(all.map((one) => one[key]!)).toFixed(2)])),
    ]),
  );
}

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
