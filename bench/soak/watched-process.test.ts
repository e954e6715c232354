import { expect, test } from "vitest";
import { growthOf } from "./watched-process.ts";

const limits = { share: 0.3, least: 10 };
const of = (value: (at: number) => number) =>
  growthOf(
    Array.from({ length: 180 }, (_, at) => value(at)),
    limits,
  );

test("what grows in every quarter grows without bound; what settles after its start, or only swings, does not", () => {
  expect(of((at) => 100 + at)).toMatchObject({ unbounded: true });
  expect(of((at) => (at < 20 ? 100 + 5 * at : 200))).toMatchObject({ first: 200, last: 200, unbounded: false });
  expect(of((at) => 100 + 50 * Math.sin(at / 3))).toMatchObject({ unbounded: false });
});

test("a growth that is small beside what is there, or small at all, counts for nothing", () => {
  expect(of((at) => 1000 + at)).toMatchObject({ unbounded: false });
  expect(growthOf([1, 2, 3, 4], limits)).toMatchObject({ first: 1, last: 4, unbounded: false });
});
