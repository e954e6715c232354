import { expect, test } from "vitest";
import { durationOf } from "./written-figures.ts";

test.each([
  [999, "0 с"],
  [125_000, "2 мин"],
  [7_500_000, "2 ч 5 мин"],
  [270_000_000, "3 д 3 ч"],
])("%d ms are written as «%s»", (ms, text) => {
  expect(durationOf(ms)).toBe(text);
});
