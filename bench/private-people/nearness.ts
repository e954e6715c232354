// How near two replies are to each other in what they say: cosine of character 4-grams within words, rare ones counting more.
import { gramsOf, normalize, words } from "#server/knowledge/language/words/analyze.ts";

/** @param known texts by which it is known what is rare */
export function nearness(known: readonly string[]): (one: string, other: string) => number {
  const grams = (text: string) => words(normalize(text)).flatMap((word) => gramsOf(word));
  const inTexts = new Map<string, number>();
  for (const text of known) for (const gram of new Set(grams(text))) inTexts.set(gram, (inTexts.get(gram) ?? 0) + 1);
  const weight = (gram: string) => Math.log((known.length + 1) / ((inTexts.get(gram) ?? 0) + 0.5));
  const vectors = new Map<string, Map<string, number>>();
  const vectorOf = (text: string) => {
    let vector = vectors.get(text);
    if (vector === undefined) {
      vector = new Map([...new Set(grams(text))].map((gram) => [gram, weight(gram)]));
      vectors.set(text, vector);
    }
    return vector;
  };
  const length = (vector: ReadonlyMap<string, number>) =>
    Math.sqrt([...vector.values()].reduce((sum, one) => sum + one * one, 0));
  return (one, other) => {
    const [a, b] = [vectorOf(one), vectorOf(other)];
    let shared = 0;
    for (const [gram, value] of a) if (b.has(gram)) shared += value * value;
    return shared === 0 ? 0 : shared / (length(a) * length(b));
  };
}
