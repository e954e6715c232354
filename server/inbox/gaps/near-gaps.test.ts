import { expect, test } from "vitest";
import { NEAR_GAPS } from "#contract/gaps.ts";
import { encodeVector } from "#server/knowledge/embeddings/codes.ts";
import { nearGaps } from "./near-gaps.ts";

const asked = (question: string, vector?: number[]) => [
  { question, codes: vector ? encodeVector(vector).codes : null, model: vector ? "m" : null },
];

test("what shares rarer words stands first, and what shares none is not offered", () => {
  const near = nearGaps(
    new Map([
      ["towed", asked("Вы продаёте снегоходы?")],
      ["bought", asked("А снегоход у вас есть в продаже?")],
      ["boat", asked("Вы продаёте лодки?")],
      ["engraved", asked("Делаете гравировку?")],
    ]),
  );
  expect(near.get("towed")![0]).toBe("bought");
  expect(near.get("towed")).not.toContain("engraved");
  expect(near.get("engraved")).toEqual([]);
});

test("what means the same is offered without a word in common, but never by vectors of another model", () => {
  const vectors = new Map([
    ["one", asked("Сколько берёте за доставку?", [1, 0.1, 0])],
    ["other", asked("Вы пьёте чай?", [1, 0, 0])],
    ["far", asked("Делаете гравировку?", [-1, 0, 0])],
  ]);
  expect(nearGaps(vectors).get("one")).toEqual(["other"]);
  vectors.set("other", [{ ...vectors.get("other")![0]!, model: "another" }]);
  expect(nearGaps(vectors).get("one")).toEqual([]);
});

test("no more are offered than fit beside an answer", () => {
  const many = new Map(
    Array.from({ length: 50 }, (_, at) => [String(at), asked(`Гравировка номер ${at} у вас есть?`)]),
  );
  for (const near of nearGaps(many).values()) expect(near).toHaveLength(NEAR_GAPS);
});
