import { expect, test } from "vitest";
import { changeAgainst } from "./count-up.tsx";

test("a change is a whole percentage of the previous value, and a whole gain where that was nothing", () => {
  expect(changeAgainst(3, 2)).toBe(50);
  expect(changeAgainst(1, 0)).toBe(100);
  expect(changeAgainst(10, -40)).toBe(100);
  expect(changeAgainst(0, -1)).toBe(0);
  expect(changeAgainst(90, 88)).toBe(2);
});
