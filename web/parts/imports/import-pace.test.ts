import { expect, test } from "vitest";
import { noteCount, paceOf, type Seen, timeLeft } from "./import-pace.ts";

const noted = (...seen: [at: number, count: number][]) =>
  seen.reduce<Seen[]>((before, [at, count]) => noteCount(before, { at, count }), []);

test("the pace is what the last minute has brought, and unknown after one look", () => {
  expect(paceOf(noted([0, 0]))).toBe(0);
  expect(paceOf(noted([0, 0], [1000, 600]))).toBe(600);
  // Fast alone, slow since people are about.
  expect(paceOf(noted([0, 0], [10_000, 150_000], [60_000, 180_000], [70_000, 186_000]))).toBe(600);
});

test("a look that finds nothing new changes nothing", () => {
  const before = noted([0, 0], [1000, 600]);
  expect(noteCount(before, { at: 2000, count: 600 })).toEqual(before);
});

test.for([
  [500, 1000, "осталось меньше минуты"],
  [60_000, 1000, "осталось меньше минуты"],
  [61_000, 1000, "осталось около 2 минут"],
  [630_000, 500, "осталось около 21 минуты"],
  [1_000_000, 100, "осталось около 3 часов"],
  [0, 1000, "сообщения сохранены, разбираем вопросы и ответы"],
] as const)("%i messages at %i a second: «%s»", ([left, pace, said]) => {
  expect(timeLeft(left, pace).replaceAll("\u00a0", " ")).toBe(said);
});
