import { expect, test } from "vitest";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { nearestPieces } from "./nearest-pieces.ts";

const chunkOf = (name: string, sentences: [string, number][]): ReplyChunk => ({
  id: name,
  documentId: name,
  name,
  heading: "",
  text: sentences.map(([text]) => text).join("\n\n"),
  score: 1,
  sentences: sentences.map(([text, score]) => ({ text, score })),
});
const delivery = chunkOf("Доставка", [
  ["По городу возим за 300 рублей.", 1.6],
  ["За город не возим.", 0.9],
]);
const payment = chunkOf("Оплата", [["Курьеру платят картой.", 1.5]]);
const texts = (pieces: { text: string }[]) => pieces.map(({ text }) => text);

test("the best pieces of any document follow what is quoted already", () => {
  const best = ["По городу возим за 300 рублей.", "Курьеру платят картой."];
  expect(texts(nearestPieces([payment, delivery], []))).toEqual(best);
  const quoted = { text: "За город не возим.", chunk: delivery };
  expect(texts(nearestPieces([payment, delivery], [quoted]))).toEqual([quoted.text, best[0]]);
});

test("what is quoted already is not repeated within another piece, and the total length is limited", () => {
  const again = chunkOf("Памятка", [["Курьеру платят картой.", 1.9]]);
  expect(texts(nearestPieces([again, payment, delivery], []))).toEqual([
    "Курьеру платят картой.",
    "По городу возим за 300 рублей.",
  ]);
  const titled = chunkOf("О нас", [["Забор и доставка", 2]]);
  expect(texts(nearestPieces([titled, payment], []))).toEqual(["Курьеру платят картой."]);
  const long = chunkOf("Договор", [[`Пункт первый ${"слово ".repeat(90)}`.trim(), 1.9]]);
  const pieces = nearestPieces(
    [long, chunkOf("Ещё", [[`Пункт второй ${"слово ".repeat(60)}`.trim(), 1.8]]), payment],
    [],
  );
  expect(pieces.map(({ chunk }) => chunk.name)).toEqual(["Договор", "Оплата"]);
});
