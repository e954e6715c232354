import { expect, test } from "vitest";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { citationsIn } from "./citations.ts";

const chunk = (...sentences: string[]): ReplyChunk => ({
  id: sentences[0]!,
  documentId: "d",
  name: "Магазин",
  heading: "",
  text: sentences.join(" "),
  score: 1,
  sentences: sentences.map((text) => ({ text, score: 1 })),
});

test("an answer cites the sentences whose words it contains, in any order, and no others", () => {
  const delivery = chunk("Доставка по Москве стоит 400 рублей.", "Курьер приезжает с десяти до восьми.");
  const payment = chunk("Оплата картой или наличными курьеру.");
  expect(citationsIn("400 рублей стоит доставка по Москве", [delivery, payment])).toEqual([
    { text: "Доставка по Москве стоит 400 рублей.", chunk: delivery },
  ]);
  expect(citationsIn("Да, конечно!", [delivery, payment])).toEqual([]);
});
