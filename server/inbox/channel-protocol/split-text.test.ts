import fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

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
