/** Tests which pairs of any trade contain a fact, and which of their words are kept. */

import { expect, test } from "vitest";
import { ContactNames } from "#server/knowledge/messages/contact-names.ts";
import { startCpuTime } from "#server/test/cpu-time.ts";
import { factsOf } from "./fact-of-pair.ts";

const names = new ContactNames(["Мария Петрова", "Олег"]);
const fact = (incoming: string, reply: string, before: string | null = null) =>
  factsOf({ incoming, reply, before }, names)[0] ?? null;
const facts = (incoming: string, reply: string, before: string | null = null) =>
  factsOf({ incoming, reply, before }, names).map((one) => [one.question, one.reply]);

test.each([
  ["Сколько занимает маникюр?", "Обычно полтора часа, с покрытием 2 часа"],
  ["Какая предоплата?", "50% предоплата, остальное при получении"],
  ["Можно оплатить картой?", "Да, картой или наличными"],
  ["Где вы находитесь?", "ул. Мира, 5, рядом с метро"],
  ["Когда можно забрать?", "По будням с 9 до 18"],
  ["Доставляете за город?", "Да, от 3000 бесплатно, иначе 500 р"],
  ["Сколько человек вмещает зал?", "До 40 человек"],
  ["Скидка постоянным есть?", "Есть, 10%"],
  ["Сколько стоит консультация юриста?", "3 тыс за час"],
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
  ["Сколько стоит чистка дивана 2 на 2?", "У вас 4 метра, итого 1800. Заберём сами"],
  ["Почём доставка до дачи?", "с вас 700"],
  ["Сколько стоит плитка на ванную?", "выйдет 12 000"],
])("«%s» — «%s» is none: it is of one talk, of one day or of one person", (incoming, reply) => {
  expect(fact(incoming, reply)).toBeNull();
});

test("the same question in other words has the same subject, and the same answer the same value", () => {
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

test("a question that depends on the one before it is completed from it", () => {
  expect(fact("А на 2 кг?", "5000", "Сколько стоит торт на 3 кг?")).toMatchObject({
    question: "Сколько стоит торт на 2 кг?",
    reply: "5000",
  });
  expect(fact("А с доставкой?", "5500 руб", "Сколько стоит торт на 3 кг?")).toMatchObject({
    question: "Сколько стоит торт на 3 кг с доставкой?",
  });
});

test.each([
  ["Делаете бейджи?", "А почём?", "Делаете бейджи — почём?"],
  ["Сколько стоит баннер 2 метра?", "И долго ждать?", "Баннер 2 метра — долго ждать?"],
  ["Сколько стоит прокат палатки?", "А на субботу сколько?", "Сколько стоит прокат палатки на субботу?"],
  ["Во сколько экскурсия?", "А групповая скидка есть?", "Групповая скидка есть?"],
])("after «%s» the question «%s» is one sentence with what it is about: «%s»", (before, asked, question) => {
  expect(fact(asked, "10% скидка, 900 рублей, 3 дня", before)).toMatchObject({ question });
});

test.each([
  "вечер добрый, почём полировка фар?",
  "Приветствую! Подскажите пожалуйста почём полировка фар?)",
  "Красота какая) а почём полировка фар?",
  "Ну здравствуйте, хотел спросить, почём полировка фар",
  "А почём полировка фар? Спасибо!",
  "Олег, доброго времени суток, почём полировка фар, спасибо заранее",
])("of «%s» only the question is kept, as a sentence", (incoming) => {
  expect(fact(incoming, "2500 рублей")).toMatchObject({ question: "Почём полировка фар?" });
});

test("a message with two questions holds two facts, each with its own answer", () => {
  expect(
    facts("Добрый день! Сколько стоит час сапа? И до скольки аренда?", "Час — 600 р. Работаем с 9 до 21, без обеда."),
  ).toEqual([
    ["Сколько стоит час сапа?", "Час — 600 р."],
    ["До скольки аренда?", "Работаем с 9 до 21, без обеда."],
  ]);
  expect(facts("почём аренда весла и до скольки вы открыты?", "весло 150 р, открыты с 9 до 21")).toEqual([
    ["Почём аренда весла?", "весло 150 р"],
    ["До скольки вы открыты?", "открыты с 9 до 21"],
  ]);
  // Two questions of one kind are distinguished by their words, or not at all.
  expect(facts("Сколько стоит каяк? А сколько стоит катамаран?", "Катамаран 900 руб. Каяк 500 руб.")).toEqual([
    ["Сколько стоит каяк?", "Каяк 500 руб."],
    ["Сколько стоит катамаран?", "Катамаран 900 руб."],
  ]);
  expect(facts("Сколько стоит каяк? А сколько стоит катамаран?", "500 и 900 рублей соответственно")).toEqual([]);
});

test("messages that followed one another are sentences of one fact", () => {
  expect(fact("Сколько стоит аренда палатки?", "Палатка 900 рублей в сутки\nОт трёх суток 700 рублей")).toMatchObject({
    reply: "Палатка 900 рублей в сутки. От трёх суток 700 рублей",
  });
});

test("an amount is the same however it is written", () => {
  const values = ["2500", "2 500 ₽", "2,5 тыс", "2500р за 3 кг"].map(
    (reply) => fact("Почём полировка фар?", reply)?.value,
  );
  expect(new Set(values).size).toBe(1);
  expect(fact("Сколько длится мойка?", "1,5 часа")!.value).toBe(fact("Сколько длится мойка?", "90 минут")!.value);
  expect(fact("Почём полировка фар?", "3000")!.value).not.toBe(values[0]);
});

test("only the sentences that state the fact are kept, without names, phones or addresses", () => {
  expect(
    fact("Это Мария. Привезёте на Ленина 5, кв 12? +79123456789", "Мария, доставка 300 рублей. Олегу передам привет"),
  ).toMatchObject({ question: "Привезёте на [адрес], [адрес]?", reply: "доставка 300 рублей." });
});

test("a line without the fact is left out, and letters within words are not taken for weekdays", () => {
  expect(fact("привет\nКакая цена велосипеда?", "привет, давай на ты)\nпродаётся\n27000, торг")).toMatchObject({
    question: "Какая цена велосипеда?",
    reply: "27000, торг",
  });
  expect(fact("Когда заходить?", "Все дома, что ты")).toBeNull();
});

test("the time for a long hostile text grows linearly with its length", () => {
  const cpuMs = startCpuTime();
  for (const piece of ["1 ", "на Аа ", "ул. а ", "с 1 до ", "[имя], ", "сколько "]) {
    fact(piece.repeat(600 / piece.length), piece.repeat(1000 / piece.length));
  }
  expect(cpuMs()).toBeLessThan(2000);
});
