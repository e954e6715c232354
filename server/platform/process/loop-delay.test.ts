import { expect, test } from "vitest";
import { LoopDelay } from "./loop-delay.ts";

test("one long block weighs little, many in a row weigh fully, and calm forgets them", () => {
  const delay = new LoopDelay();
  delay.record(1000, 1050);
  expect(delay.smoothedMs).toBeLessThan(400);
  delay.record(4000, 4050);
  expect(delay.smoothedMs).toBeLessThan(1000);
  for (let at = 0; at < 20; at++) delay.record(1000, 1050);
  expect(delay.smoothedMs).toBeGreaterThan(950);
  for (let at = 0; at < 400; at++) delay.record(0, 50);
  expect(delay.smoothedMs).toBeLessThan(10);
});

test("the longest delay of the last minute is remembered, and no longer", () => {
  const delay = new LoopDelay();
  delay.record(500, 550, 1_000);
  delay.record(900, 950, 2_000);
  delay.record(100, 150, 30_000);
  expect(delay.worstMs(30_000)).toBe(900);
  expect(delay.worstMs(63_000)).toBe(100);
  expect(delay.worstMs(200_000)).toBe(0);
});
