import type { Match } from "./found-unit.ts";

/**
 * Logistic regression on XQuAD (Artetxe et al. 2020), Russian and English, fitted on half of the articles. On the other half, at 0.5:
 * 87 % of Russian and 96 % of English questions whose paragraph is in the index pass, with 0–7 % of questions on other subjects and
 * about one in five of those on the subject whose answer is not there.
 */
const coefficients = [-6.26, 4.29, 9.38, 4.55, 4.96];

/** The features of the regression. In a small index unknown words outweigh known ones, hence the last feature. */
function featuresOf(match: Match, unitsInIndex: number): number[] {
  return [match.stems, match.grams, match.coverage, 1 / Math.log(Math.max(unitsInIndex, 5))];
}

/**
 * How sure it is that a found unit answers the query, 0..1; from 0.5 on an answer is worth giving.
 * @param unitsInIndex number of units that the word frequencies were counted in
 */
export function confidenceOf(match: Match, unitsInIndex: number): number {
  if (match.grams === 0) return 0;
  const inputs = [1, ...featuresOf(match, unitsInIndex)];
  return 1 / (1 + Math.exp(-inputs.reduce((sum, value, at) => sum + value * coefficients[at]!, 0)));
}
