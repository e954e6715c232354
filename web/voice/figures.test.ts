import { expect, test } from "vitest";
import { compareFigures, figureText } from "./figures.ts";

const figure = (value: number | null, low = value, high = value) => ({ measuredAt: "2026-11-23", value, low, high });

test("a figure is shown with its interval", () => {
  expect(figureText({ measuredAt: "", value: 0.41, low: 0.3, high: 0.52 }).replaceAll("\u00a0", " ")).toBe(
    "41%, скорее всего от 30% до 52%",
  );
});

test.each([
  [figure(0.2, 0.1, 0.3), figure(0.5, 0.4, 0.6), "заметно похожее"],
  [figure(0.5, 0.4, 0.6), figure(0.2, 0.1, 0.3), "менее похоже"],
  [figure(0.2, 0.1, 0.45), figure(0.4, 0.3, 0.6), "может быть случайной"],
  [figure(0.4, 0.1, 0.45), figure(0.3, 0.2, 0.6), "хуже, но"],
  [figure(0.4), figure(0.4), "Разницы не видно"],
])(
  "before %o and after %o is described as measured: only disjoint intervals count as a difference",
  (before, after, said) => {
    expect(compareFigures(before, after)).toContain(said);
  },
);

test("a comparison needs both figures", () => {
  expect(compareFigures(null, figure(0.4))).toBeNull();
  expect(compareFigures(figure(null), figure(0.4))).toBeNull();
});
