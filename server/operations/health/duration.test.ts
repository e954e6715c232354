import { expect, test } from "vitest";
import { durationOf } from "./written-figures.ts";

test.each([
  [999, "0\u00a0с"],
  [125_000, "2\u00a0мин"],
  [7_500_000, "2\u00a0ч\u00a05\u00a0мин"],
  [270_000_000, "3\u00a0д\u00a03\u00a0ч"],
])("%d ms are written as «%s»", (ms, text) => {
  expect(durationOf(ms)).toBe(text);
});
