import { expect, test } from "vitest";
import { reorderByLikelihood } from "./reorder-by-likelihood.ts";

const found = [
  { id: 1, score: 1 },
  { id: 2, score: 0.8 },
  { id: 3, score: 0.5 },
  { id: 4, score: 0.2 },
];

test("hits with a score are reordered among themselves; the others, and the score of each rank, stay", () => {
  const likelihoods = new Map([
    [1, 0.1],
    [3, 0.7],
    [4, 0.4],
    [9, 1],
  ]);
  expect(reorderByLikelihood(found, likelihoods)).toEqual([
    { id: 3, score: 1 },
    { id: 2, score: 0.8 },
    { id: 4, score: 0.5 },
    { id: 1, score: 0.2 },
  ]);
});

test("equally likely hits stay in the order of the search", () => {
  expect(reorderByLikelihood(found, new Map(found.map(({ id }) => [id, 0.5])))).toEqual(found);
});
