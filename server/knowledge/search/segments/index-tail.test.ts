import { expect, test } from "vitest";
import { search } from "../ranking/search-segments.ts";
import { IndexTail } from "./index-tail.ts";

const unit = (id: number) => ({ id, audience: 0, text: `заказ номер ${id}` });
const find = (tail: IndexTail, query: string) =>
  search(tail.segments, query, { allows: () => true, limit: 200 }).map((hit) => hit.id);

test("units added one by one are all found, in few segments", () => {
  const tail = new IndexTail("message");
  for (let id = 1; id <= 100; id++) tail.add([unit(id)]);
  expect(find(tail, "заказ")).toHaveLength(100);
  expect(find(tail, "номер 57")[0]).toBe(57);
  expect(tail.segments.length).toBeLessThan(8);
  expect(tail.missing([99, 100, 101])).toEqual([101]);
});

test("a removed unit is not found any more and counts as missing again", () => {
  const tail = new IndexTail("message");
  tail.add([unit(1), unit(2), unit(3)]);
  const before = tail.size;
  tail.keepOnly([2]);
  expect(find(tail, "заказ")).toEqual([2]);
  expect(tail.missing([1, 2])).toEqual([1]);
  expect(tail.size).toBeLessThan(before);
  tail.keepOnly([]);
  expect(find(tail, "заказ")).toEqual([]);
});
