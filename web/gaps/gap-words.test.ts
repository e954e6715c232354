import { expect, test } from "vitest";
import type { GapQuestion } from "#contract/gaps.ts";
import { answerCheckText } from "./gap-words.ts";

const asked = (answered: boolean | null, platform = "web") => ({ answered, platform }) as GapQuestion;

test("«Теперь двойник отвечает» is said only once the twin was asked each question again", () => {
  expect(answerCheckText({ questions: [asked(true), asked(null)], answer: null })).toBeNull();
  expect(answerCheckText({ questions: [asked(true)], answer: null })?.text).toBe("Теперь двойник отвечает");
  expect(answerCheckText({ questions: [asked(true), asked(false)], answer: null })?.known).toBe(false);
});

test("what the owner asked in his test chat does not count where he answered others alone", () => {
  const answer = { question: "", text: "", scope: "contact" } as const;
  expect(answerCheckText({ questions: [asked(true), asked(null, "test")], answer })?.known).toBe(true);
});
