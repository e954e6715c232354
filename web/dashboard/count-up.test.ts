import { expect, test } from "vitest";
import { percentChange } from "./count-up.tsx";

test("a change is a whole percentage of the previous value, and a whole gain where that was nothing", () => {
  expect(percentChange(3, 2)).toBe(50);
  expect(percentChange(1, 0)).toBe(100);
  expect(percentChange(10, -40)).toBe(100);
  expect(percentChange(0, -1)).toBe(0);
  expect(percentChange(90, 88)).toBe(2);
});
