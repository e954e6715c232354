import { expect, test } from "vitest";
import { partsOf } from "./doubtful-text.tsx";

const marked = (text: string, doubtful: string[]) =>
  partsOf(text, doubtful).map(({ part, isDoubtful }) => (isDoubtful ? `[${part}]` : part));

test("doubtful places are marked wherever they stand, the longest of two that begin together", () => {
  expect(marked("Доставка 500 ₽, сборка 500 ₽.", ["500 ₽"])).toEqual([
    "Доставка ",
    "[500 ₽]",
    ", сборка ",
    "[500 ₽]",
    ".",
  ]);
  expect(marked("Скидка 30 % всем", ["Скидка", "Скидка 30 %"])).toEqual(["[Скидка 30 %]", " всем"]);
});

test("a text without them, or rewritten since, is whole", () => {
  expect(marked("Завтра.", [])).toEqual(["Завтра."]);
  expect(marked("Завтра.", ["500", ""])).toEqual(["Завтра."]);
  expect(marked("", ["500"])).toEqual([]);
});
