import { expect, test } from "vitest";
import { SourceFacts } from "./source-facts.ts";

test.each([
  ["цена 1500 рублей", "Цена: 1 500 руб.", 0],
  ["цена 1500 рублей", "Цена: 15 000 руб.", 1],
  ["цена 150 рублей", "Цена: 1500 руб.", 1],
  ["пиши Марине", "Менеджер Марина Иванова", 0],
  ["пиши Марине", "Менеджер Мария Иванова", 1],
  ["заходи на example.com/a", "Сайт example.com/a", 0],
  ["он скоро придет", "он скоро придет", 1],
])("weighs %j against the source %j: %i without support", (text, source, count) => {
  expect(new SourceFacts([source]).unsupported(text)).toHaveLength(count);
});
