/**
 * Measures whether replies fit their questions, apart from style: the owner's true reply to the same question should be nearer than
 * others.
 */
import { featureSpace, GramCounts, type SparseVector } from "./features.ts";
import { mean } from "./typicality.ts";

/**
 * Mean share, 0..1, of the owner's other true replies that are less like the twin's reply than the true reply to the same message.
 * Similarity is the cosine of character 1–4-grams; ties count one half. 0.5 is chance.
 */
export function relevance(replies: readonly string[], held: readonly string[]): number {
  const space = featureSpace(held, new GramCounts({ longest: 4 }));
  const truths = held.map((text) => space.vector(text));
  return mean(
    replies.map((reply, at) => {
      const vector = space.vector(reply);
      const own = cosine(vector, truths[at]!);
      const others = truths.filter((_, other) => other !== at).map((truth) => cosine(vector, truth));
      return mean(others.map((other) => (other < own ? 1 : other === own ? 0.5 : 0)));
    }),
  );
}

/** Cosine of two vectors of length 1 with ascending places. */
function cosine(a: SparseVector, b: SparseVector): number {
  let [sum, at, other] = [0, 0, 0];
  while (at < a.places.length && other < b.places.length) {
    const difference = a.places[at]! - b.places[other]!;
    if (difference === 0) sum += a.values[at++]! * b.values[other++]!;
    else if (difference < 0) at++;
    else other++;
  }
  return sum;
}
