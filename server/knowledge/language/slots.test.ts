import { expect, test } from "vitest";
import { slotsOf } from "./slots.ts";

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
  ["Понимаю 🙂 Пусть так и будет 👍🏻 Надумаете, пишите ❤️ Жду", []],
])("finds what is true of one talk only in %j", (text, expected) => {
  expect(slotsOf(text).map((slot) => `${slot.kind}:${slot.text}`)).toEqual(expected);
});
