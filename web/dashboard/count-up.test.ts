import { expect, test } from "vitest";
import { changeAgainst } from "./count-up.tsx";

test("a change is a whole percentage of the previous value, and absent if that was zero", () => {
  expect(changeAgainst(3, 2)).toBe(50);
  expect(changeAgainst(1, 0)).toBeNull();
  expect(changeAgainst(10, -40)).toBeNull();
  expect(changeAgainst(90, 88)).toBe(2);
});
