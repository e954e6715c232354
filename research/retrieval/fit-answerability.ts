// Fits the coefficients of server/knowledge/search/ranking/answerability.ts and shows what they do on articles they were not fitted on.
// Answerable: the question's paragraph is in the index. Not answerable, near: its article is, its paragraph is not;
// far: its article is not. Indexes of 1 to 48 articles, so that a twin with five chunks is judged like one with many.
// Split by article: of every four, the first two for fitting, the other two for the table.

import { Console } from "node:console";
import { featuresOf } from "#server/knowledge/search/ranking/answerability.ts";
import { search } from "#server/knowledge/search/ranking/search-segments.ts";
import { buildSegment } from "#server/knowledge/search/segments/build-segment.ts";
import { type Language, type Paragraph, readXquad } from "../../bench/material/public-data.ts";

const out = new Console(process.stdout);

type Label = "answerable" | "near" | "far";

interface Sample {
  language: Language;
  articles: number;
  article: number;
  label: Label;
  features: number[];
}

const nobody: ReadonlyMap<string, ReadonlySet<number>> = new Map();

function samplesOf(language: Language): Sample[] {
  const paragraphs = readXquad(language);
  const count = paragraphs.at(-1)!.article + 1;
  return [1, 2, 4, 8, count / 2].flatMap((articles) =>
    Array.from({ length: Math.floor(count / articles) }, (_, group) => {
      const within = ({ article }: Paragraph) => Math.floor(article / articles) === group;
      const indexed = paragraphs.filter(within);
      const segment = buildSegment(
        "chunk",
        indexed.map(({ text }, id) => ({ id, audience: 0, text })),
      );
      const sample = (question: string, article: number, label: Label, dead = nobody): Sample => {
        const [hit] = search([segment], question, { allows: () => true, limit: 1, dead });
        const match = hit?.match ?? { stems: 0, grams: 0, coverage: 0 };
        return { language, articles, article, label, features: featuresOf(match, indexed.length) };
      };
      const inside = indexed.flatMap((paragraph, id) =>
        paragraph.questions.flatMap(({ text }) => [
          sample(text, paragraph.article, "answerable"),
          sample(text, paragraph.article, "near", new Map([["chunk", new Set([id])]])),
        ]),
      );
      const foreign = paragraphs.filter((paragraph) => !within(paragraph));
      const questions = foreign.flatMap(({ article, questions }) => questions.map(({ text }) => ({ article, text })));
      const step = Math.max(1, Math.round(count / articles) - 1);
      const outside = questions
        .filter((_, n) => n % step === 0)
        .map(({ text, article }) => sample(text, article, "far"));
      return [...inside, ...outside];
    }).flat(),
  );
}

/** Logistic regression by Newton's method with a small ridge; both kinds of unanswerable questions weigh a half. */
function fitLogistic(samples: Sample[]): number[] {
  const size = samples[0]!.features.length + 1;
  let weights = new Array<number>(size).fill(0);
  for (let round = 0; round < 40; round++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : -1e-4 * weight * samples.length));
    const hessian = weights.map((_, i) => weights.map((_, j) => (i === j && i > 0 ? 1e-4 * samples.length : 0)));
    for (const { label, features } of samples) {
      const inputs = [1, ...features];
      const probability = logistic(dot(weights, inputs));
      const weight = label === "answerable" ? 1 : 0.5;
      const target = label === "answerable" ? 1 : 0;
      for (let i = 0; i < size; i++) {
        gradient[i]! += weight * (target - probability) * inputs[i]!;
        for (let j = 0; j < size; j++) {
          hessian[i]![j]! += weight * probability * (1 - probability) * inputs[i]! * inputs[j]!;
        }
      }
    }
    const step = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight + step[i]!);
  }
  return weights;
}

function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (let column = 0; column < rows.length; column++) {
    for (let row = 0; row < rows.length; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]! / rows[column]![column]!;
      for (let at = column; at <= rows.length; at++) rows[row]![at]! -= factor * rows[column]![at]!;
    }
  }
  return rows.map((row, i) => row[rows.length]! / row[i]!);
}

const dot = (one: number[], other: number[]) => one.reduce((sum, value, i) => sum + value * other[i]!, 0);
const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const share = (samples: Sample[], weights: number[]) =>
  samples.filter(({ features }) => dot(weights, [1, ...features]) > 0).length / Math.max(1, samples.length);

const samples = [...samplesOf("ru"), ...samplesOf("en")];
const forFitting = ({ article }: Sample) => (article >> 1) % 2 === 0;
const weights = fitLogistic(samples.filter(forFitting));
// A twin that answers a little more often: without this it is silent on one in six Russian questions it could answer.
weights[0]! += 0.5;
out.table(
  Object.fromEntries(
    ["intercept", "stems", "grams", "coverage", "smallness"].map((name, i) => [name, weights[i]!.toFixed(2)]),
  ),
);

const held = samples.filter((sample) => !forFitting(sample));
const groups = Map.groupBy(held, ({ language, articles }) => `${language}, ${articles} article(s)`);
out.table(
  Object.fromEntries(
    [...groups].map(([name, group]) => {
      const above = (label: Label) =>
        share(
          group.filter((sample) => sample.label === label),
          weights,
        ).toFixed(3);
      return [name, { answerable: above("answerable"), near: above("near"), far: above("far") }];
    }),
  ),
);
