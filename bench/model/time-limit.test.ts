import { expect, test } from "vitest";
import { inTurns, timeLimit } from "./time-limit.ts";

test("questions are asked in turns of their bases, so that a run that is cut short has asked some of each", () => {
  expect(inTurns([["a1", "a2", "a3"], [], ["b1"], ["c1", "c2"]])).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
  expect(inTurns([])).toEqual([]);
});

test("time is over once the seconds have passed, and never where none were given", () => {
  let now = 0;
  const over = timeLimit("2", () => now);
  now = 2000;
  expect(over()).toBe(false);
  now = 2001;
  expect(over()).toBe(true);
  expect(timeLimit(undefined, () => now)()).toBe(false);
});
