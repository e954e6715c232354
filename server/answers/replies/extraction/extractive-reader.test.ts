import { expect, test } from "vitest";
import { questionParts } from "#server/knowledge/language/question/question-parts.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { extractiveReader } from "./extractive-reader.ts";
import { THRESHOLDS } from "./thresholds.ts";

const chunk = (id: string, ...sentences: string[]): ReplyChunk => ({
  id,
  documentId: id,
  name: "Магазин",
  heading: "",
  text: sentences.join(" "),
  score: 1,
  sentences: sentences.map((text) => ({ text, score: 1 })),
});
const read = (message: string, chunks: ReplyChunk[], meant = new Map<string, number>()) =>
  extractiveReader.read({
    ...{ message, history: [], chunks, parts: questionParts(message, null), meant, pieces: new Map() },
    ...{ rarity: () => 1, limit: 1 },
  });

const delivery = chunk("1", "Доставка по Москве стоит 400 рублей.");
const winter = chunk("2", "Сугробы возле крыльца убирает бригада дворников.");

test("an answer comes with the sentences that it is based on", () => {
  const { answer, nearest } = read("Сколько стоит доставка по Москве?", [winter, delivery]);
  expect(answer?.citations).toEqual([{ text: "Доставка по Москве стоит 400 рублей.", chunk: delivery }]);
  expect(answer?.confidence).toBeGreaterThan(0.5);
  expect(nearest).toEqual([]);
});

test("an answer about another amount than the question's is not sure enough to be stated", () => {
  const small = chunk("3", "Стрижка собаки до 10 кг стоит 2500 рублей.");
  const asked = (weight: number) => read(`Сколько стоит стрижка собаки ${weight} кг?`, [small]).answer!.confidence;
  expect(asked(8)).toBeGreaterThanOrEqual(THRESHOLDS.knowledge);
  expect(asked(40)).toBeLessThan(THRESHOLDS.knowledge);
});

test("a chunk that only its embedding finds is cited too; where nothing answers there is no answer", () => {
  expect(read("Кто чистит снег?", [delivery, winter]).answer).toBeNull();
  const { answer } = read("Кто чистит снег?", [delivery, winter], new Map([["2", 0.9]]));
  expect(answer?.citations).toEqual([{ text: "Сугробы возле крыльца убирает бригада дворников.", chunk: winter }]);
});
