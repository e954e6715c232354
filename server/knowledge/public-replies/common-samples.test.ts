import { expect, test } from "vitest";
import { CommonSamples, chooseEvenly } from "./common-samples.ts";
import { openCommonWords } from "./common-words.ts";

const isCommonWord = await openCommonWords();

/** Gives each text to three people, unless others are named. */
function foundAmong(texts: readonly string[], people: readonly number[] = [1, 2, 3]): string[] {
  const samples = new CommonSamples(isCommonWord);
  for (const [at, text] of texts.entries()) {
    for (const person of people) samples.add(at * 10 + person, person, text);
  }
  return samples.found().map(({ text }) => text);
}

test("a reply of common words that three people received is a sample, once, with its case, marks and messages", () => {
  expect(foundAmong(["Да, конечно)", "ну ок\nя щас подумаю", "Хорошо!"])).toEqual([
    "Да, конечно)",
    "ну ок\nя щас подумаю",
    "Хорошо!",
  ]);
});

test("what fewer received is none, even if every word is common", () => {
  expect(foundAmong(["да, мы так и не пришли"], [1, 2, 1])).toEqual([]);
  const samples = new CommonSamples(isCommonWord);
  for (const person of [1, 2, 3]) samples.add(person, person, "папа");
  for (const person of [1, 2, 3]) samples.add(10 + person, person, "умер");
  // Each word went to three people, but together only to one.
  samples.add(20, 1, "папа умер");
  expect(samples.found().map(({ text }) => text)).toEqual(["папа", "умер"]);
});

test.each([
  ["a rare word", "да, зяблик хорошо"],
  ["a number", "да, в 10 хорошо"],
  ["a name with a capital", "да, это Роман хорошо"],
  ["a name", "привет, саша"],
  ["an address of a site", "да, на ya.ru/хорошо"],
  ["an address of mail", "ok @me"],
  ["a long text", "да, хорошо ".repeat(30)],
  ["nothing but signs", "))) !!!"],
])("%s makes a reply no sample", (_what, text) => {
  expect(foundAmong([text])).toEqual([]);
});

test("common words are frequent forms, grammar and phrases, and no names", () => {
  for (const word of ["привет", "щас", "конечно", "the", "ok"]) expect(isCommonWord(word), word).toBe(true);
  for (const word of ["анна", "саша", "диагноз", "кредит", "зяблик"]) expect(isCommonWord(word), word).toBe(false);
});

test("samples are chosen evenly from all that were found", () => {
  expect(chooseEvenly([1, 2], 3)).toEqual([1, 2]);
  expect(chooseEvenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5)).toEqual([1, 3, 5, 7, 9]);
  expect(chooseEvenly([1, 2, 3], 0)).toEqual([]);
});
