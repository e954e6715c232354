import { describe, expect, test } from "vitest";
import { agents } from "./agents.ts";
import { answerOf } from "./demo-answer.ts";
import { demoScripts } from "./demo-scripts.ts";

const { sales } = demoScripts;

describe.each(agents.map(({ id, name }) => [name, demoScripts[id]] as const))("%s", (_name, script) => {
  test("answers each of its questions, picked or typed in other letter case", () => {
    expect(script.topics.length).toBeGreaterThanOrEqual(4);
    for (const topic of script.topics) {
      expect(answerOf(script, topic.question)).toEqual({ text: topic.answer, topic, known: true });
      expect(answerOf(script, topic.question.toUpperCase()).topic, topic.question).toBe(topic);
    }
  });

  test("says that it does not know what its script lacks, and says that it is an AI when asked", () => {
    for (const question of ["Кто выиграл матч?", "asdf", "🙂", "   "]) {
      expect(answerOf(script, question)).toEqual({ text: script.unknown, known: false });
    }
    expect(script.greeting).toContain("ИИ");
    expect(answerOf(script, "Ты человек?").text).toContain("ИИ");
  });
});

test("a question in other words is matched to its topic", () => {
  expect(answerOf(sales, "а в рассрочку можно?").topic?.question).toBe("Есть рассрочка?");
  expect(answerOf(sales, "Какая цена кухни").topic?.question).toBe("Сколько стоит кухня на 3 метра?");
  expect(answerOf(sales, "Привёз бы кто завтра").topic?.question).toBe("Когда привезёте?");
});

test("a greeting is answered with a greeting", () => {
  expect(answerOf(sales, "Здравствуйте!")).toEqual({ text: sales.greeting, known: true });
});
