import { expect, test } from "vitest";
import { rankPieces } from "./rank-pieces.ts";

const chunk = (id: string, pieces: readonly (readonly [text: string, score: number])[]) => ({
  ...{ id, documentId: "d", name: "Прайс", heading: "", score: 1 },
  text: pieces.map(([text]) => text).join("\n\n"),
  sentences: pieces.map(([text, score]) => ({ text, score })),
});
const words = [
  ["Доставка по городу стоит 300 рублей.", 0.9],
  ["Оплатить можно частями, без процентов.", 0.1],
  ["Работаем без выходных с девяти.", 0.5],
] as const;

test("the nearest piece by embedding goes before the one that shares more words, and one near by both goes before either", () => {
  const found = chunk("1", words);
  const texts = (near: number[]) => rankPieces([found], new Map([[1, near]])).map(({ text }) => text);
  expect(texts([0.2, 0.9, 0.1])[1]).toBe("Оплатить можно частями, без процентов.");
  expect(texts([0.9, 0.2, 0.1])[0]).toBe("Доставка по городу стоит 300 рублей.");
  expect(texts([0.9, 0.2, 0.1])).toHaveLength(3);
});

test("without vectors nothing is ranked, and the prompt keeps the order of words", () => {
  expect(rankPieces([chunk("1", words)], new Map())).toEqual([]);
});

test("a chunk without vectors comes last and is not lost", () => {
  const ranked = rankPieces(
    [chunk("1", words), chunk("2", [["Новый документ о возврате.", 0.2]])],
    new Map([[1, [0.3, 0.2, 0.1]]]),
  );
  expect(ranked.map(({ chunk: { id } }) => id)).toContain("2");
});
