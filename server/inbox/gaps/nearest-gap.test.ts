import { expect, test } from "vitest";
import { encodeVector } from "#server/knowledge/embeddings/codes.ts";
import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import { questionForm } from "#server/knowledge/question-similarity/question-form.ts";
import { nearestGap } from "./nearest-gap.ts";

const gapOf = (id: string, question: string, vector?: number[]) => ({
  id,
  wordings: [{ form: questionForm(question), codes: vector ? encodeVector(vector).codes : null }],
});
const likely = { middle: 0.5, slope: 20, least: 0.3 };
const meaning = (vector: number[]): QueryEmbedding => ({
  ...{ model: "m", inDatabase: false, scale: { replyExample: likely, chunk: likely } },
  vector: Float32Array.from(vector),
});

test("a question goes to the gap that asks the same in other words, and of equal gaps to the oldest", () => {
  const asked = questionForm("Подскажите, во сколько лет можно водить снегоход?");
  const gaps = [
    gapOf("boat", "Где купить лодку?"),
    gapOf("older", "Во сколько лет можно водить снегоход?"),
    gapOf("newer", "Во сколько лет можно водить снегоход?"),
  ];
  expect(nearestGap(asked, null, gaps)?.id).toBe("older");
  expect(nearestGap(questionForm("Делаете гравировку?"), null, gaps)).toBeNull();
});

test("a question without a common word goes to the gap of the same meaning, but not by a vector of another length", () => {
  const asked = questionForm("Сколько берёте за привоз курьером?");
  const gaps = [gapOf("engraving", "Делаете гравировку?", [0, 1]), gapOf("price", "Какая цена доставки?", [1, 0.1])];
  expect(nearestGap(asked, meaning([1, 0]), gaps)?.id).toBe("price");
  expect(nearestGap(asked, meaning([1, 0, 0]), gaps)).toBeNull();
  expect(nearestGap(asked, meaning([-1, 0]), gaps)).toBeNull();
});
