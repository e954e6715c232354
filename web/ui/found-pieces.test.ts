import { expect, test } from "vitest";
import { foundPieces, fromFirstMark } from "./found-pieces.ts";

test("a mark begins where a word begins, in any spelling of «ё», after signs and at the edges of the text", () => {
  expect(foundPieces("Алина летит на Сахалин", "алин")).toEqual(["", "Алин", "а летит на Сахалин"]);
  expect(foundPieces("Доставка до Сахалина", "алина")).toEqual(["Доставка до Сахалина"]);
  expect(foundPieces("(ёлка), Ель и чай-ёлка", "елка")).toEqual(["(", "ёлка", "), Ель и чай-", "ёлка", ""]);
  expect(foundPieces("дада, да", "да")).toEqual(["", "да", "да, ", "да", ""]);
  expect(foundPieces("скидка 50%", "%")).toEqual(["скидка 50", "%", ""]);
});

test("a search for parts of words marks them within words where no word begins so", () => {
  expect(foundPieces("Доставим завтра", "автр", true)).toEqual(["Доставим з", "автр", "а"]);
  expect(foundPieces("Сахалин, Алина, завтра", "алин автр", true)).toEqual([
    "Сахалин, ",
    ...["Алин", "а, з", "автр", "а"],
  ]);
});

test("other forms of the words are marked as the words are, the longest at its place", () => {
  const text = "Доставка бесплатная, доставки за город нет";
  expect(foundPieces(text, "доставка", true, ["доставки"])).toEqual([
    ...["", "Доставка", " бесплатная, ", "доставки", " за город нет"],
  ]);
  expect(foundPieces("цены", "цен", true, ["цены"])).toEqual(["", "цены", ""]);
});

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
