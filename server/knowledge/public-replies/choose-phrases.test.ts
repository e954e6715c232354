/** Phrases that are offered to the owner show his lengths and everything that he does with a message. */
import { expect, test } from "vitest";
import { actOf, choosePhrases } from "./choose-phrases.ts";

const phrase = (text: string) => ({ text });
/** A message of so many characters that only tells something. */
const told = (length: number, at: number) => phrase(`${at} `.padEnd(length, "ля "));

test("lengths of the chosen are spread as the owner's own, though few of his texts are short", () => {
  const items = Array.from({ length: 200 }, (_, at) => told(4 + at, at));
  // Half of his messages have five characters: he writes the same few words again and again.
  const lengths = [...Array.from({ length: 100 }, () => 5), ...Array.from({ length: 100 }, (_, at) => 20 + at)];
  const chosen = choosePhrases(items, lengths, 20).map(({ text }) => text.length);
  expect(chosen).toHaveLength(20);
  expect(chosen.filter((length) => length <= 15)).toHaveLength(10);
  expect(Math.max(...chosen)).toBeGreaterThan(100);
  expect(Math.max(...chosen)).toBeLessThan(125);
});

test("each act gets a place, and those of different acts come first", () => {
  const rare = [
    "Здравствуйте, слушаю",
    "Простите, виноват",
    "Спасибо, получил всё",
    "К сожалению, не смогу",
    "А когда вам удобно?",
  ];
  const items = [...Array.from({ length: 60 }, (_, at) => told(18 + (at % 5), at)), ...rare.map(phrase)];
  const chosen = choosePhrases(
    items,
    items.map(({ text }) => text.length),
    20,
  ).map(({ text }) => text);
  expect(new Set(chosen).size).toBe(20);
  for (const text of rare) expect(chosen.slice(0, rare.length + 1), text).toContain(text);
});

test("with fewer phrases than places all are chosen, once", () => {
  const items = ["да", "нет", "а что?"].map(phrase);
  expect(new Set(choosePhrases(items, [2, 3, 6], 20))).toEqual(new Set(items));
  expect(choosePhrases([], [2], 20)).toEqual([]);
});

test.each([
  ["apology", "Извини, закрутился"],
  ["refusal", "Увы, не получится"],
  ["greeting", "привет, как ты?"],
  ["thanks", "thanks a lot for that"],
  ["question", "а во сколько начало?"],
])("%s: «%s»", (act, text) => expect(actOf(text)).toBe(act));
