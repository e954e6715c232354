import { expect, test } from "vitest";
import { ownWords } from "./without-quotes.ts";

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
  expect(ownWords(letter)).toEqual({ text: "Спасибо!", forwarded: false });
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
  expect(ownWords(`Посмотрите\n\n${forward}`)).toEqual({ text: "Посмотрите", forwarded: true });
  expect(ownWords(forward)).toEqual({ text: "", forwarded: true });
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
  expect(ownWords(letter)).toEqual({ text: letter, forwarded: false });
});

test("a long letter is read quickly", () => {
  const began = performance.now();
  ownWords(`${"16.11.2026 ".repeat(20_000)}\n${"16 ноя 10:12 a@b \n".repeat(20_000)}`);
  expect(performance.now() - began).toBeLessThan(1500);
});
