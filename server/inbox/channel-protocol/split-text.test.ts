import fc from "fast-check";
import { expect, test } from "vitest";
import { partsOf, splitText } from "./split-text.ts";

test("a short text stays whole, an empty one gives no part", () => {
  expect(splitText(" Да. ", 4096)).toEqual(["Да."]);
  expect(splitText("  ", 4096)).toEqual([]);
});

test("a long text is cut between paragraphs, sentences or words", () => {
  expect(splitText("Первый абзац.\n\nВторой абзац.", 20)).toEqual(["Первый абзац.", "Второй абзац."]);
  expect(splitText("Раз два. Три четыре.", 12)).toEqual(["Раз два.", "Три четыре."]);
  expect(splitText("аааааааа", 3)).toEqual(["ааа", "ааа", "аа"]);
});

test("no part is too long, empty or ends inside a character, and nothing but space is lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.integer({ min: 2, max: 40 }), (text, max) => {
      const parts = splitText(text, max);
      for (const part of parts) {
        expect(part.length).toBeGreaterThan(0);
        expect(part.length).toBeLessThanOrEqual(max);
        expect(part.isWellFormed()).toBe(true);
      }
      expect(parts.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }),
  );
});

test("an answer of several messages is sent as such, and a long one of them in parts", () => {
  const text = "Да, есть.\n\nЗаберёте сегодня?";
  expect(partsOf({ text, parted: true }, 4096)).toEqual(["Да, есть.", "Заберёте сегодня?"]);
  expect(partsOf({ text }, 4096)).toEqual([text]);
  expect(partsOf({ text: "Раз два.\n\nТри четыре. Пять шесть.", parted: true }, 12)).toEqual([
    "Раз два.",
    "Три четыре.",
    "Пять шесть.",
  ]);
  // A draft that its owner has cut into many paragraphs is no flood of messages.
  expect(partsOf({ text: "1\n\n2\n\n3\n\n4\n\n5", parted: true }, 4096)).toEqual(["1", "2", "3", "4\n\n5"]);
});
