/** Classifier two-sample test (Lopez-Paz & Oquab 2017): how well a classifier separates two sets of messages. */
import { featureSpace, GramCounts } from "./features.ts";
import { shuffled, trainVerifier } from "./verifier.ts";

const FOLDS = 5;
const LONGEST_GRAM = 3;
/** The same fifty messages parted anew moved D by a quarter; the mean of five partings holds it. */
const PARTINGS = 5;

/**
 * Scores of both sets, each message's from classifiers that were not trained on it. Their AUC is 0.5 for two sets by one author, 1 for
 * obviously different ones.
 */
export interface Separation {
  left: number[];
  right: number[];
}

/** Returns the mean scores of five-fold classifiers over character 1–3-grams, whose folds are drawn `PARTINGS` times. */
export function separate(ones: readonly string[], others: readonly string[], random: () => number): Separation {
  const scores: Separation = { left: ones.map(() => 0), right: others.map(() => 0) };
  const grams = new GramCounts({ longest: LONGEST_GRAM });
  for (let parting = 0; parting < PARTINGS; parting++) addScores(ones, others, { grams, random }, scores);
  return scores;
}

function addScores(
  ones: readonly string[],
  others: readonly string[],
  { grams, random }: { grams: GramCounts; random: () => number },
  scores: Separation,
): void {
  const folded = (texts: readonly string[]) =>
    shuffled([...texts.keys()], random).map((place, at) => ({ place, text: texts[place]!, fold: at % FOLDS }));
  const [left, right] = [folded(ones), folded(others)];
  for (let fold = 0; fold < FOLDS; fold++) {
    const learned = (side: typeof left) => side.filter((one) => one.fold !== fold).map(({ text }) => text);
    const space = featureSpace([...learned(left), ...learned(right)], grams);
    const vectors = (texts: readonly string[]) => texts.map((text) => space.vector(text));
    const verifier = trainVerifier(vectors(learned(left)), vectors(learned(right)), random);
    const add = (side: typeof left, to: number[]) => {
      for (const { place, text, fold: own } of side)
        if (own === fold) to[place]! += verifier.logit(space.vector(text)) / PARTINGS;
    };
    add(left, scores.left);
    add(right, scores.right);
  }
}
