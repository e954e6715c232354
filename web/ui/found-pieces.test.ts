import { expect, test } from "vitest";
import { fromFirstMark } from "./found-pieces.ts";

test("a found text begins near its first match, at a word, so that one line shows the match", () => {
  const long = "Добрый день! Подскажите, пожалуйста, сколько будет стоить доставка на Сахалин?";
  expect(fromFirstMark(long, "доставк")).toBe("…сколько будет стоить доставка на Сахалин?");
  expect(fromFirstMark(`${"а".repeat(60)}доставка`, "доставка")).toBe(`…${"а".repeat(24)}доставка`);
});

test("a text whose match stands at its beginning, or that has none, stays whole", () => {
  expect(fromFirstMark("Сколько стоит доставка?", "доставка")).toBe("Сколько стоит доставка?");
  expect(fromFirstMark("Имя найдено, а слова в письме нет, хотя оно и длинное", "Сахалин")).toBe(
    "Имя найдено, а слова в письме нет, хотя оно и длинное",
  );
});
