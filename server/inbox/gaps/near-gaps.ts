/** Finds open gaps that may ask the same. No threshold separates them safely, so the owner ticks those that his answer fits. */
import { NEAR_GAPS } from "#contract/gaps.ts";
import { similarityTo } from "#server/knowledge/embeddings/codes.ts";
import { hasStem, type QuestionForm, questionForm } from "#server/knowledge/question-similarity/question-form.ts";

const COMPARED_WORDINGS = 3;
/** Maximum number of gaps that are near by meaning alone, without a word in common. */
const BY_MEANING = 2;
/** The constant of reciprocal rank fusion, as in the search (docs/quality.md). */
const FUSION = 60;

export interface AskedWording {
  question: string;
  /** Its quantized embedding and the model that made it; null: only words are compared. */
  codes: Buffer | null;
  model: string | null;
}

interface Compared {
  id: string;
  forms: readonly QuestionForm[];
  vectors: readonly { model: string; unit: Float32Array; codes: Buffer }[];
}

/** Returns for each gap the nearest ones, nearest first. @param gaps wordings by gap */
export function nearGaps(gaps: ReadonlyMap<string, readonly AskedWording[]>): Map<string, string[]> {
  const all = [...gaps].map(([id, wordings]) => comparedOf(id, wordings.slice(0, COMPARED_WORDINGS)));
  const weightOf = weightsOf(all);
  return new Map(all.map((gap) => [gap.id, nearestTo(gap, all, weightOf)]));
}

function comparedOf(id: string, wordings: readonly AskedWording[]): Compared {
  const vectors = wordings.flatMap(({ codes, model }) =>
    codes === null || model === null ? [] : [{ model, codes, unit: unitOf(codes) }],
  );
  return { id, forms: wordings.map(({ question }) => questionForm(question)), vectors };
}

function unitOf(codes: Buffer): Float32Array {
  const vector = Float32Array.from(new Int8Array(codes.buffer, codes.byteOffset, codes.length));
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

type WeightOf = (stem: string) => number;

/** A word that many gaps contain says little about any of them. */
function weightsOf(all: readonly Compared[]): WeightOf {
  const counts = new Map<string, number>();
  for (const { forms } of all)
    for (const stem of new Set(forms.flatMap(({ stems }) => [...stems]))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => Math.log(1 + all.length / (counts.get(stem) ?? 1));
}

function nearestTo(gap: Compared, all: readonly Compared[], weightOf: WeightOf): string[] {
  const others = all.filter((other) => other !== gap);
  const byWords = ranked(others, (other) => most(gap.forms, other.forms, (a, b) => overlap(a, b, weightOf)));
  const byMeaning = ranked(others, (other) =>
    most(gap.vectors, other.vectors, (a, b) => (a.model === b.model ? similarityTo(a.unit, b.codes) : 0)),
  );
  const places = new Map<string, number>();
  for (const [place, id] of byWords.entries()) places.set(id, 1 / (FUSION + place));
  for (const [place, id] of byMeaning.entries())
    if (places.has(id) || place < BY_MEANING) places.set(id, (places.get(id) ?? 0) + 1 / (FUSION + place));
  return [...places]
    .sort(([, one], [, other]) => other - one)
    .slice(0, NEAR_GAPS)
    .map(([id]) => id);
}

/** Returns the ids of those with anything in common, the most similar first. */
function ranked(others: readonly Compared[], likeness: (other: Compared) => number): string[] {
  return others
    .map((other) => ({ id: other.id, like: likeness(other) }))
    .filter(({ like }) => like > 0)
    .sort((one, other) => other.like - one.like)
    .map(({ id }) => id);
}

const most = <T>(some: readonly T[], others: readonly T[], likeness: (one: T, other: T) => number): number =>
  Math.max(0, ...some.flatMap((one) => others.map((other) => likeness(one, other))));

/** Returns 0..1: the weight of the content words, with synonyms, that both contain. */
function overlap({ stems: some }: QuestionForm, { stems: others }: QuestionForm, weightOf: WeightOf): number {
  const weight = (stems: Iterable<string>) => [...stems].reduce((sum, stem) => sum + weightOf(stem), 0);
  const common = weight(held(some, others)) + weight(held(others, some));
  return common === 0 ? 0 : common / (weight(some) + weight(others));
}

const held = (stems: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...stems].filter((stem) => hasStem(others, stem));
