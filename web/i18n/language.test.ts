import { expect, test } from "vitest";
import { dictionary } from "./dictionary.ts";
import { chooseLanguage } from "./language.ts";

test.each([
  ["ru", "en-US", "ru"],
  ["en", "ru-RU", "en"],
  [null, "ru", "ru"],
  [null, "ru-RU", "ru"],
  [null, "RU", "ru"],
  [null, "de-DE", "en"],
  [null, "en-US", "en"],
  ["fr", "ru-RU", "ru"],
  ["", "uk-UA", "en"],
])("stored %o with the browser's %s gives %s", (stored, browser, expected) => {
  expect(chooseLanguage(stored, browser)).toBe(expected);
});

test("both languages have a text for every key", () => {
  for (const words of Object.values(dictionary)) {
    for (const [key, word] of Object.entries(words)) expect(word, key).not.toBe("");
  }
  expect(Object.keys(dictionary.en)).toEqual(Object.keys(dictionary.ru));
});
