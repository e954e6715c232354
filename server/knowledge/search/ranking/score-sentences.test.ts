import { expect, test } from "vitest";
import { buildSegment } from "../segments/build-segment.ts";
import { parseQuery } from "./query-terms.ts";
import { scoreSentences, weighForSentences } from "./score-sentences.ts";
import { TermStatistics } from "./term-statistics.ts";

const delivery = ["Мы открыты с девяти.", "Доставка занимает два дня.", "Курьер звонит за час."];
const payment = ["Оплатить можно картой.", "Доставка оплачивается отдельно."];
const index = [
  buildSegment(
    "chunk",
    [delivery, payment].map((sentences, id) => ({ id, audience: 0, text: sentences.join(" ") })),
  ),
];
const score = (query: string, scores: [number, number]) =>
  scoreSentences(
    [
      { sentences: delivery, score: scores[0] },
      { sentences: payment, score: scores[1] },
    ],
    weighForSentences(parseQuery(query), new TermStatistics(index)),
  );

test("the sentence that says what was asked scores highest", () => {
  const all = score("сколько дней занимает доставка", [1, 0.4]).flat();
  expect(all.toSorted((a, b) => b.score - a.score)[0]?.text).toBe("Доставка занимает два дня.");
});

test("sentences keep the order of their chunk", () => {
  expect(score("доставка", [1, 1]).map((chunk) => chunk.map(({ text }) => text))).toEqual([delivery, payment]);
});

test("a sentence of a better chunk outscores the same words in a worse one", () => {
  const [first, second] = score("доставка", [0.2, 1]);
  expect(second![1]!.score).toBeGreaterThan(first![1]!.score);
});

test("without a common word a sentence has only the score of its chunk", () => {
  expect(score("xyzzy", [0.7, 0.3]).map((chunk) => chunk[0]!.score)).toEqual([0.7, 0.3]);
  expect(scoreSentences([], weighForSentences(parseQuery("доставка"), new TermStatistics([])))).toEqual([]);
});
