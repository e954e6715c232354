import { expect, test } from "vitest";
import { swapLayout } from "./keyboard-layout.ts";

test.each([
  ["lbfkjub", "диалоги"],
  ["Fyfkbnbrf", "аналитика"],
  ["екфшт фш", "train ai"],
  ["crm 2", "скь 2"],
])("%s typed on the other layout is %s", (typed, meant) => {
  expect(swapLayout(typed)).toBe(meant);
});

test("swapping twice gives the same keys back", () => {
  const letters = "йцукенгшщзхъфывапролджэячсмитьбюё";
  expect(swapLayout(swapLayout(letters))).toBe(letters);
});
