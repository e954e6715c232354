import { expect, test } from "vitest";
import { confidenceOf } from "./answerability.ts";

test("a unit with the whole question gets high confidence, one with a single word of it low", () => {
  expect(confidenceOf({ stems: 0.6, grams: 0.5, coverage: 1 }, 500)).toBeGreaterThan(0.8);
  expect(confidenceOf({ stems: 0.1, grams: 0.12, coverage: 0.2 }, 500)).toBeLessThan(0.2);
});

test("a better match never lowers the confidence, and it stays within 0..1 for any index", () => {
  for (const units of [0, 1, 5, 1_000_000]) {
    const rising = [0, 0.1, 0.3, 0.5, 0.9].map((fit) => confidenceOf({ stems: fit, grams: fit, coverage: fit }, units));
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    expect(rising.every((confidence) => confidence >= 0 && confidence <= 1)).toBe(true);
  }
});

test("without a common word the confidence is 0, even in the smallest index", () => {
  expect(confidenceOf({ stems: 0, grams: 0, coverage: 0 }, 1)).toBe(0);
});
