import { expect, test } from "vitest";
import { mayDependOnContext } from "../question/contextual-query.ts";
import { contentWords } from "../question/question-parts.ts";
import { namesMaintenance, tradeWordsOf } from "./trade-words.ts";

test.each([
  ["сколько стоит то", true],
  ["Почём ТО?", true],
  ["записаться на то можно?", true],
  ["то полное когда делать", true],
  ["сколько стоит то, что на витрине", false],
  ["что-то не работает", false],
  ["если цепь растянута, то и кассету меняем", false],
  ["то есть не чините?", false],
  ["а на то же время можно?", false],
])("«то» in %j is maintenance: %s", (text, expected) => {
  expect(namesMaintenance(text)).toBe(expected);
});

test("abbreviations in capitals are words, and what is shouted is not", () => {
  expect(tradeWordsOf("Пришлите КП и счёт от ИП")).toEqual(["кп", "ип"]);
  expect(tradeWordsOf("Я НЕ понял, ГДЕ вы")).toEqual([]);
  expect(tradeWordsOf("СКОЛЬКО СТОИТ")).toEqual([]);
});

test.each(["сколько стоит то", "вы работаете как ИП?", "можно по СБП?", "сколько стоит КП?"])(
  "%j names its own subject, so it does not follow up on the question before",
  (message) => {
    expect(contentWords(message).some((word) => ["то", "ип", "сбп", "кп"].includes(word))).toBe(true);
    expect(mayDependOnContext(message)).toBe(false);
  },
);
