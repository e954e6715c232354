import { expect, test } from "vitest";
import { saysTheSame, unlikePairs } from "./unlike-pairs.ts";

test.each([
  ["Ок.", "ок)", true],
  ["ещё едем!", "Еще едем", true],
  ["да, буду в 10", "Да буду в 10.", true],
  ["👍", "👍🏻", true],
  [")))", ") ) )", true],
  ["👍", "🙁", false],
  ["?", "!", false],
  ["", "ок", false],
  ["буду в 10", "буду в 11", false],
])("«%s» and «%s» say the same but for case and marks: %s", (one, other, same) => {
  expect(saysTheSame(one, other)).toBe(same);
  expect(saysTheSame(other, one)).toBe(same);
});

test("pairs that say the same, and those that repeat one above, give their places to the next", () => {
  const pairs = [
    ["Ок.", "ок)"],
    ["буду в 10", "Не знаю."],
    ["👍", "👍"],
    ["Буду в 10!", "не знаю"],
    ["буду в 10", "хорошо"],
    ["ага", "нет"],
  ].map(([ownerReply, twinReply], id) => ({ id, ownerReply: ownerReply!, twinReply: twinReply! }));
  expect(unlikePairs(pairs, 2).map(({ id }) => id)).toEqual([1, 4]);
  expect(unlikePairs(pairs, 8).map(({ id }) => id)).toEqual([1, 4, 5]);
});
