import { expect, test } from "vitest";
import type { Question } from "./questions.ts";
import { verdictOf } from "./verdict.ts";

const question = (over: Partial<Question> = {}): Question => ({
  id: "x",
  kind: "direct",
  history: [],
  text: "",
  facts: [["2500", "две с половиной тысячи"]],
  never: ["3000"],
  ...over,
});

test("a fact counts in any spelling, and a number only as a whole", () => {
  expect(verdictOf(question(), "Стоит 2 500 рублей")).toBe("right");
  expect(verdictOf(question(), "две с половиной тысячи")).toBe("right");
  expect(verdictOf(question(), "12500 рублей")).toBe("wrong");
  expect(verdictOf(question(), "2500, а с лентой 3000")).toBe("wrong");
});

test("some of several facts are a part, and an admission is honest", () => {
  const two = question({ facts: [["утром"], ["2500"]], never: [] });
  expect(verdictOf(two, "Утром привезём")).toBe("partly");
  expect(verdictOf(two, "Не знаю, уточню")).toBe("honest");
  expect(verdictOf(two, "Понятно.")).toBe("silent");
});

test("a chunk that is quoted as such is not counted as an answer", () => {
  expect(verdictOf(question(), "В документе «Прайс» сказано: «роза — 2500, пион — 3000»")).toBe("quoted");
  expect(verdictOf(question(), "В документе «Прайс» сказано: «доставка бесплатна»")).toBe("beside");
});

test("what the documents do not answer must be admitted", () => {
  const absent = question({ kind: "absent", facts: [], never: [] });
  expect(verdictOf(absent, "Уточню и напишу")).toBe("honest");
  expect(verdictOf(absent, "Цену за кило не назову, её знает хозяин.")).toBe("honest");
  expect(verdictOf(absent, "Владелец прочтёт и ответит сам.")).toBe("honest");
  expect(verdictOf(absent, "Да, конечно, привезём")).toBe("wrong");
});

test("a complaint is met, not noted", () => {
  const complaint = question({ kind: "complaint", facts: [], never: [] });
  expect(verdictOf(complaint, "Понятно")).toBe("silent");
  expect(verdictOf(complaint, "Очень жаль, передам Марине")).toBe("right");
});
