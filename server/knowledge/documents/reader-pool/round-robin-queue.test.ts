import { expect, test } from "vitest";
import { RoundRobinQueue } from "./round-robin-queue.ts";

function takeAll(queue: RoundRobinQueue<string>, busy: string[] = []): string[] {
  const taken: string[] = [];
  for (let work = queue.take(new Set(busy)); work !== undefined; work = queue.take(new Set(busy))) taken.push(work);
  return taken;
}

test("organisations take turns, each in its own order", () => {
  const queue = new RoundRobinQueue<string>();
  for (const work of ["a1", "a2", "a3", "b1", "a4", "c1", "b2"]) queue.add(work[0]!, work);
  expect(queue.waiting("a")).toBe(4);
  expect(takeAll(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
  expect(queue.waiting("a")).toBe(0);
});

test("an organisation that is busy keeps its place, and holds nobody up", () => {
  const queue = new RoundRobinQueue<string>();
  for (const work of ["a1", "a2", "b1"]) queue.add(work[0]!, work);
  expect(takeAll(queue, ["a"])).toEqual(["b1"]);
  expect(takeAll(queue)).toEqual(["a1", "a2"]);
});

test("what is given up waits no more", () => {
  const queue = new RoundRobinQueue<string>();
  for (const work of ["a1", "a2"]) queue.add("a", work);
  expect([queue.remove("a", "a1"), queue.remove("a", "a1"), queue.remove("b", "a2")]).toEqual([true, false, false]);
  expect(takeAll(queue)).toEqual(["a2"]);
});
