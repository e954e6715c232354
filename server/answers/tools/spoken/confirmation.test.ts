import { expect, test } from "vitest";
import { confirmationIn } from "./confirmation.ts";

const BOOKING = "Запись на приём пятница, 4 декабря";
const CANCEL = "Отменить заказ 1047";

test.each([
  "да",
  "Да, всё верно",
  "ага давайте",
  "да заказывайте",
  "вот теперь да",
  "а вот так да",
  "ну ок, записывайте",
  "ладно",
  "согласна, спасибо!",
  "да так норм",
  "да да",
  "да, запись",
  "да, на пятницу",
  "+",
  "👍",
])("«%s» confirms", (said) => {
  expect(confirmationIn(said, BOOKING)).toBe("yes");
});

test.each(["нет", "не надо", "нет, отмените", "нет спасибо", "стоп", "не записывайте", "передумала"])(
  "«%s» takes it back",
  (said) => {
    expect(confirmationIn(said, BOOKING)).toBe("no");
  },
);

test.each([
  "нет стойте\nшестьсот штук",
  "не, лучше в четверг",
  "да, но потом",
  "да если можно с утра",
  "да?",
  "да, в 15",
  "отмените",
  "давайте перенесём",
  "измените время",
  "а сколько это стоит",
  "👎",
  "да, скрипку",
  "да, только в четверг",
])("«%s» says something else", (said) => {
  expect(confirmationIn(said, BOOKING)).toBeNull();
});

test("what the tool does is asked for by its own verb", () => {
  expect(confirmationIn("да отменяйте", CANCEL)).toBe("yes");
  expect(confirmationIn("отмените пожалуйста", CANCEL)).toBe("yes");
  expect(confirmationIn("нет не отменяйте", CANCEL)).toBe("no");
});
