import { expect, test } from "vitest";
import { SourceFacts, slotsOf } from "./slots.ts";

test.each([
  ["буду в 18:30, цена 1 500 руб", ["number:18:30", "number:1 500"]],
  ["пиши a@b.ru или @ivanov, сайт example.com", ["email:a@b.ru", "link:example.com", "handle:@ivanov"]],
  ["завтра созвонимся в среду", ["date:завтра", "date:среду"]],
  ["спроси у маши и Петрова", ["name:маши", "name:Петрова"]],
  ["Привет. Хорошо, сделаю", []],
  ["Света нет дома", ["name:Света"]],
  ["на улице ленина", ["address:улице"]],
  ["он уже ушел, пароль скажу", ["person:он", "private:пароль"]],
  ["стоит две тысячи", ["number:две", "number:тысячи"]],
  ["я Вам перезвоню", []],
  ["ок, без проблем)", []],
])("finds what is true of one talk only in %j", (text, expected) => {
  expect(slotsOf(text).map((slot) => `${slot.kind}:${slot.text}`)).toEqual(expected);
});

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
