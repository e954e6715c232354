import { expect, test } from "vitest";
import { below, placesOf, resultOf } from "./answer-places.ts";

test("an answer is listed by its places, without keys that no path can name", () => {
  const answer = JSON.stringify({ order: { status: "в пути", paid: true, "a b": 1, items: [{ name: "Чайник" }] } });
  expect(placesOf(answer)?.map(({ path, depth, value }) => [path, depth, value])).toEqual([
    ["order", 0, null],
    ["order.status", 1, "в пути"],
    ["order.paid", 1, "да"],
    ["order.items", 1, null],
    ["order.items.0", 2, null],
    ["order.items.0.name", 3, "Чайник"],
  ]);
  expect(placesOf('{"order": {"status": "в пу')).toBeNull();
  expect(placesOf(JSON.stringify(Array.from({ length: 1000 }, (_, at) => at)))).toHaveLength(200);
});

test("a place is named below the result's", () => {
  expect([below("a.b", ""), below("a.b", "a"), below("ab.c", "a"), below("a", "a")]).toEqual(["a.b", "b", null, null]);
});

test("a choice changes the result of the answer that is here, with its labels", () => {
  const answer = JSON.stringify({ data: { status: "в пути", paid: true, none: null, items: [{ name: "Чайник" }] } });
  const shown = (...chosen: [path: string, label: string][]) =>
    resultOf(
      answer,
      "data",
      chosen.map(([path, label]) => ({ path, label })),
    );
  expect(shown(["status", "Статус"], ["paid", ""], ["nowhere", "Нет"])).toEqual([
    { label: "Статус", value: "в пути" },
    { label: "(без названия)", value: "да" },
  ]);
  expect(shown()).toEqual([
    { label: "status", value: "в пути" },
    { label: "paid", value: "да" },
    { label: "items 1 name", value: "Чайник" },
  ]);
  expect(resultOf('{"data": {"st', "", [])).toBeNull();
});
