import { expect, test } from "vitest";
import { startCpuTime } from "#server/test/cpu-time.ts";
import { answersLetter, ownWords } from "./own-words.ts";

const QUOTED = "> Здравствуйте!\n> Доставка стоит 300 рублей.\n>\n>> Сколько стоит доставка?";
const PLAIN = "Здравствуйте!\nДоставка стоит 300 рублей.";

test.each([
  ["Gmail", `Спасибо!\n\nпн, 16 нояб. 2026 г. в 10:12, Анна Иванова <ann@example.ru>:\n\n${QUOTED}`],
  ["Gmail, older", `Спасибо!\n\n16 ноября 2026 г., 10:12 пользователь Анна <ann@example.ru> написал:\n\n${QUOTED}`],
  ["Gmail in English", `Спасибо!\n\nOn Mon, Nov 16, 2026 at 10:12 AM Anna <ann@example.ru> wrote:\n\n${QUOTED}`],
  [
    "Gmail, the head broken in two",
    `Спасибо!\n\nOn Mon, Nov 16, 2026 at 10:12 AM Anna Ivanova from the shop\n<ann@example.ru> wrote:\n\n${QUOTED}`,
  ],
  ["Яндекс", `Спасибо!\n\n16.11.2026, 10:12, "Анна" <ann@example.ru>:\n${QUOTED}`],
  ["Яндекс, quoted without marks", `Спасибо!\n\n16.11.2026, 10:12, Анна (ann@example.ru):\n${PLAIN}`],
  ["Mail.ru", `Спасибо!\n\nПонедельник, 16 ноября 2026, 10:12 +03:00 от Анна <ann@example.ru>:\n${PLAIN}`],
  ["Apple", `Спасибо!\n\n16 нояб. 2026 г., в 10:12, Анна <ann@example.ru> написал(а):\n\n${QUOTED}`],
  ["Apple in English", `Спасибо!\n\n> On 16 Nov 2026, at 10:12, Anna <ann@example.ru> wrote:\n> \n${QUOTED}`],
  ["Thunderbird", `Спасибо!\n\n16.11.2026 10:12, Анна пишет:\n${QUOTED}`],
  [
    "Outlook",
    `Спасибо!\n\n________________________________\nОт: Анна <ann@example.ru>\nОтправлено: 16 ноября 2026 г. 10:12\nКому: Иван\nТема: Re: Доставка\n\n${PLAIN}`,
  ],
  [
    "Outlook in English",
    `Спасибо!\n\nFrom: Anna <ann@example.ru>\nSent: Monday, November 16, 2026 10:12 AM\nTo: Ivan\nSubject: Re: Delivery\n\n${PLAIN}`,
  ],
  ["Outlook, a rule", `Спасибо!\n\n-----Original Message-----\nFrom: Anna\n${PLAIN}`],
  ["Outlook, a Russian rule", `Спасибо!\r\n\r\n-----Исходное сообщение-----\r\nFrom: Anna\r\n${PLAIN}`],
  ["who answers under the quote", `16.11.2026, 10:12, "Анна" <ann@example.ru>:\n${QUOTED}\n\nСпасибо!`],
  ["a signature", "Спасибо!\n-- \nИван Петров\nтел. +7 900 000-00-00"],
  ["a closing", "Спасибо!\n\nС уважением,\nИван Петров\nменеджер ООО «Ромашка»\n+7 900 000-00-00"],
  ["a closing in English", "Спасибо!\n\nBest regards,\nIvan"],
  ["a telephone", "Спасибо!\n\nОтправлено с iPhone"],
  [
    "another telephone",
    `Спасибо!\n\nОтправлено из мобильной Почты Mail\n16.11.2026, 10:12, Анна <ann@example.ru>:\n${PLAIN}`,
  ],
  ["Outlook's telephone", `Спасибо!\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n${QUOTED}`],
])("of a letter only the writer's own words are left: %s", (_program, letter) => {
  const { text, forwarded, cut } = ownWords(letter, true);
  expect({ text, forwarded }).toEqual({ text: "Спасибо!", forwarded: false });
  expect(cut).not.toBe("");
});

test.each([
  [
    "---------- Forwarded message ---------\nFrom: Anna <ann@example.ru>\nDate: Mon, Nov 16\nSubject: x\nTo: y\n\nтекст",
  ],
  ["-------- Пересылаемое сообщение --------\n16.11.2026, 10:12, Анна <ann@example.ru>:\n\nтекст"],
  ["-------- Пересланное сообщение --------\nОт кого: Анна\nКому: Иван\n\nтекст"],
  ["Begin forwarded message:\n\nFrom: Anna\n\nтекст"],
  ["Начало переадресованного сообщения:\n\nОт: Анна\n\nтекст"],
])("forwarded text belongs to another person: %#", (forward) => {
  expect(ownWords(`Посмотрите\n\n${forward}`, false)).toEqual({ text: "Посмотрите", forwarded: true, cut: forward });
  expect(ownWords(forward, true)).toMatchObject({ text: "", forwarded: true });
});

test("text that only resembles a quote, a head or a signature stays", () => {
  const letter = [
    "Встретимся 16.11.2026 в 10:12, адрес такой:",
    "ул. Ленина, 5",
    "",
    "От: 300 рублей",
    "Отправлено вам вчера.",
    "С уважением отношусь к вашему выбору, но цена высока.",
    "- раз",
    "-- два",
    "ещё 3 > 2",
  ].join("\n");
  expect(ownWords(letter, true)).toEqual({ text: letter, forwarded: false, cut: "" });
});

const ORDER = "От кого: Борис\nКому: Анна Петрова\nДата: 8 марта, к 10:00\nАдрес: ул. Мира, 5, кв. 12\nБукет: 25 роз";
const TABLE = "Нужно:\n| Товар | Кол-во |\n| Фильтр | 40 шт |\n>100 шт масла 5W-30, если есть скидка\nЖду счёт.";
const QUESTIONS =
  "Вопрос 1: сколько стоит масло?\n--\nВопрос 2: работаете в воскресенье?\n--\nВопрос 3: есть ли парковка?";
test.each([
  ["an order form", `Хочу заказать цветы.\n\n${ORDER}\n\nСможете?`],
  ["an order form alone", ORDER],
  ["an order form with a date of the calendar", ORDER.replace("8 марта, к 10:00", "08.03.2026 10:00")],
  ["a table and a comparison", TABLE],
  ["questions with rules between them", QUESTIONS],
  ["questions with delimiters of signatures between them", QUESTIONS.replaceAll("--", "-- ")],
  ["a letter that is a name and a closing", "С уважением,\nБорис"],
  ["a list under a rule", "Сколько?\n--\nСтол 5 шт\nСтул 3 шт"],
  ["a wish with a date and an address", "Прошу выслать счёт 16.11.2026 до 10:00 на ivan@ya.ru:\n- 5 столов"],
])("what customers type is not taken for a quotation or a signature: %s", (_, letter) => {
  for (const answers of [false, true]) expect(ownWords(letter, answers)).toMatchObject({ text: letter, cut: "" });
});

test.each([
  ["a mark", "> раз\n> два\nтри"],
  ["a line that names an author", "16.11.2026, 10:12, Анна <ann@example.ru>:\nцена 300"],
  [
    "a header",
    "Переписка:\nОт: Анна <ann@example.ru>\nОтправлено: 16 ноября 2026 г. 10:12\nКому: Иван\nТема: x\n\nтекст",
  ],
])("a first letter quotes nobody, whatever its lines begin with: %s", (_, letter) => {
  expect(ownWords(letter, false)).toEqual({ text: letter, forwarded: false, cut: "" });
});

test.each([
  ["P.S. Счёт нужен на ООО «Вектор», ИНН 7701234567.\nКогда сможете отгрузить?"],
  ["PS: и ещё доставку"],
  ["З.Ы. Парковка есть?"],
  ["Нужно ещё десять колец до пятницы"],
  ["Стол белый"],
])("what stands below a signature is the author's: %s", (below) => {
  expect(ownWords(`Прошу счёт.\n\nС уважением,\nБорис\n\n${below}`, false)).toEqual({
    ...{ text: `Прошу счёт.\n\n${below}`, forwarded: false, cut: "С уважением,\nБорис" },
  });
});

test("contacts in a paragraph of their own belong to the signature", () => {
  const signature =
    "С уважением,\n\nБорис Лапин\nменеджер отдела продаж ООО «Вектор»\n\n+7 900 123-45-67\nhttps://vector.example";
  expect(ownWords(`Прошу счёт.\n\n${signature}`, false)).toMatchObject({
    text: "Прошу счёт.",
    cut: signature.replaceAll("\n\n", "\n"),
  });
});

test.each([
  [["<1@a.test>"], "x", true],
  [[], "Re: заказ", true],
  [[], "RE[2]: заказ", true],
  [[], "Отв: заказ", true],
  [[], "Ремонт: заказ", false],
  [[], "", false],
])("a letter with references %j and subject %j answers another: %s", (references, subject, answers) => {
  expect(answersLetter(references, subject)).toBe(answers);
});

test("a letter of very many lines is parted, also below a quotation without marks", () => {
  const many = "строка\n".repeat(300_000);
  expect(ownWords(`Да\n\n16.11.2026 10:12, Анна пишет:\n${many}`, true)).toMatchObject({ text: "Да" });
});

test("a long letter is read quickly", () => {
  const cpuMs = startCpuTime();
  ownWords(`${"16.11.2026 ".repeat(20_000)}\n${"16 ноя 10:12 a@b \n".repeat(20_000)}`, true);
  ownWords(`${"> \n16.11.2026 10:12 a@b:\n\n\n".repeat(2_000)}`, true);
  expect(cpuMs()).toBeLessThan(1500);
});
