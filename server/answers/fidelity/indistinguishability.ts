/** Classifier two-sample test (Lopez-Paz & Oquab 2017): how well a classifier separates two sets of messages. */
import { featureSpace } from "./features.ts";
import { shuffled, trainVerifier } from "./verifier.ts";

const FOLDS = 5;
const LONGEST_GRAM = 3;

/** Out-of-fold scores of both sets; their AUC is 0.5 for two sets by one author, 1 for obviously different ones. */
export interface Separation {
  left: number[];
  right: number[];
}

/** Returns the scores of a five-fold classifier over character 1–3-grams. */
export function separate(ones: readonly string[], others: readonly string[], random: () => number): Separation {
  const folded = (texts: readonly string[]) => shuffled(texts, random).map((text, at) => ({ text, fold: at % FOLDS }));
  const [left, right] = [folded(ones), folded(others)];
  const scores: Separation = { left: [], right: [] };
  for (let fold = 0; fold < FOLDS; fold++) {
    const learned = (side: typeof left) => side.filter((one) => one.fold !== fold).map(({ text }) => text);
    const asked = (side: typeof left) => side.filter((one) => one.fold === fold).map(({ text }) => text);
    const space = featureSpace([...learned(left), ...learned(right)], { longest: LONGEST_GRAM });
    const vectors = (texts: readonly string[]) => texts.map((text) => space.vector(text));
    const verifier = trainVerifier(vectors(learned(left)), vectors(learned(right)), random);
    scores.left.push(...vectors(asked(left)).map(verifier.logit));
    scores.right.push(...vectors(asked(right)).map(verifier.logit));
  }
  return scores;
}
