import { expect, test } from "vitest";
import { search } from "../ranking/search-segments.ts";
import { IndexTail, PART_UNITS } from "./index-tail.ts";

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

test("no part is larger than what is built in one turn, however many units are added", () => {
  const tail = new IndexTail("message");
  const all = Array.from({ length: 5 * PART_UNITS }, (_, at) => unit(at + 1));
  for (let from = 0; from < all.length; from += 70) tail.add(all.slice(from, from + 70));
  const sizes = tail.segments.map(({ ids }) => ids.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(all.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(PART_UNITS);
  expect(sizes.length).toBeLessThan(12);
});

test("while newer units push out older ones, whole parts go and no part is built again", () => {
  const tail = new IndexTail("message");
  for (let from = 1; from <= 3 * PART_UNITS; from += PART_UNITS)
    tail.add(Array.from({ length: PART_UNITS }, (_, at) => unit(from + at)));
  const before = tail.segments;
  const first = PART_UNITS + 100;
  const ids = Array.from({ length: 3 * PART_UNITS }, (_, at) => at + 1);
  expect(tail.firstBefore(first)).toBe(PART_UNITS + 1);
  tail.keepOnly(ids.slice(PART_UNITS), first);
  expect(tail.segments).toEqual(before.slice(1));
  expect(tail.segments[0]).toBe(before[1]);
  expect(tail.missing([1, PART_UNITS + 1])).toEqual([1]);
});
