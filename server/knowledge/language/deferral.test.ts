import { expect, test } from "vitest";
import { isDeferral } from "./deferral.ts";
import { wordsOf } from "./words/lexicon.ts";

test("a message that only defers an answer is told from one that says anything else or names a time", () => {
  for (const text of [
    "Уточню и напишу вам",
    "надо спросить)",
    "Хм, это надо уточнить",
    "I'll check and get back to you",
  ])
    expect(isDeferral(wordsOf(text)), text).toBe(true);
  for (const text of [
    "Завтра уточню",
    "Сейчас проверю",
    "Уточню у Светы",
    "Проверю, но скорее нет",
    "Уточните сами",
    "Напишу вам",
  ])
    expect(isDeferral(wordsOf(text)), text).toBe(false);
});
