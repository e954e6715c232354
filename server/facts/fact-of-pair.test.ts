/** Which pairs hold a fact, of any trade, and what of their words is kept. */
import { expect, test } from "vitest";
import { ContactNames } from "#server/knowledge/contact-names.ts";
import { factOf } from "./fact-of-pair.ts";

const names = new ContactNames(["Мария Петрова", "Олег"]);
const fact = (incoming: string, reply: string, before: string | null = null) =>
  factOf({ incoming, reply, before }, names);

test.each([
  ["Сколько занимает маникюр?", "Обычно полтора часа, с покрытием 2 часа"],
  ["Какая предоплата?", "50% предоплата, остальное при получении"],
  ["Можно оплатить картой?", "Да, картой или наличными"],
  ["Где вы находитесь?", "ул. Мира, 5, рядом с метро"],
  ["Когда можно забрать?", "По будням с 9 до 18"],
  ["Доставляете за город?", "Да, от 3000 бесплатно, иначе 500 р"],
  ["Сколько человек вмещает зал?", "До 40 человек"],
  ["А скидка постоянным есть?", "Есть, 10%"],
  ["Сколько стоит консультация юриста", "3 тыс за час"],
  ["До какого числа можно вернуть товар?", "В течение 14 дней с чеком"],
])("«%s» — «%s» is one", (incoming, reply) => {
  expect(fact(incoming, reply)).toMatchObject({ question: incoming, reply });
});

test.each([
  ["Как дела?", "Отлично, вчера бегала 5 км"],
  ["Во сколько приедешь?", "Буду в 18:00"],
  ["Сколько я должен?", "1500 рублей"],
  ["Где мой заказ?", "Уже в пути, 2 часа"],
  ["До скольки вы завтра?", "До 18"],
  ["Ты где?", "Я у метро, 5 минут"],
  ["Какой у вас телефон?", "Звоните +7 912 345-67-89"],
  ["Сколько стоит доставка?", "Сейчас посмотрю и напишу"],
  ["Сколько стоит?", "7500"],
  ["Спасибо", "5 минут всего заняло, не за что"],
])("«%s» — «%s» is none: it is of one talk, of one day or of one person", (incoming, reply) => {
  expect(fact(incoming, reply)).toBeNull();
});

test("the same question in other words has one subject, the same answer one value", () => {
  const [one, other, dearer] = [
    fact("Здравствуйте! Сколько стоит торт на 3 кг?", "3 кг — 6500"),
    fact("а почём торт 3 кг", "6 500 руб."),
    fact("Сколько стоит торт на 3 кг?", "7500"),
  ];
  expect(other).toMatchObject({ subject: one!.subject, value: one!.value });
  expect(dearer!.subject).toBe(one!.subject);
  expect(dearer!.value).not.toBe(one!.value);
  expect(fact("Сколько стоит торт на 2 кг?", "6500")!.subject).not.toBe(one!.subject);
});

test("a question that leans on the one before it is kept whole", () => {
  expect(fact("А на 2 кг?", "5000", "Сколько стоит торт на 3 кг?")).toMatchObject({
    question: "Сколько стоит торт на 2 кг?",
    reply: "5000",
  });
  expect(fact("А с доставкой?", "5500 руб", "Сколько стоит торт на 3 кг?")).toMatchObject({
    question: "Сколько стоит торт на 3 кг? А с доставкой?",
  });
});

test("only the sentences that say it are kept, without anybody's name, phone or address", () => {
  expect(
    fact("Это Мария. Привезёте на Ленина 5, кв 12? +79123456789", "Мария, доставка 300 рублей. Олегу передам привет"),
  ).toMatchObject({ question: "Привезёте на [адрес], [адрес]?", reply: "доставка 300 рублей." });
});

test("lines are messages: one that says nothing of it stays out, and letters within words are no weekdays", () => {
  expect(fact("привет\nКакая цена велосипеда?", "привет, давай на ты)\nпродаётся\n27000, торг")).toMatchObject({
    question: "Какая цена велосипеда?",
    reply: "27000, торг",
  });
  expect(fact("Когда заходить?", "Все дома, что ты")).toBeNull();
});

test("a long hostile text takes no longer than its length", () => {
  const started = performance.now();
  for (const piece of ["1 ", "на Аа ", "ул. а ", "с 1 до ", "[имя], ", "сколько "]) {
    fact(piece.repeat(600 / piece.length), piece.repeat(1000 / piece.length));
  }
  expect(performance.now() - started).toBeLessThan(2000);
});
