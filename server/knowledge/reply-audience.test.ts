import { describe, expect, test } from "vitest";
import { ContactNames, replyAudience } from "./reply-audience.ts";

const names = new ContactNames(["Анна Петрова", "Ли", "Роман", "Толик", "John Smith", "🙂"]);
const audience = (reply: string, chatKind = "private") => replyAudience(reply, names, { contactId: 7, chatKind });

describe("who may be served a past reply", () => {
  test.each([
    "Привет!",
    "да, конечно)",
    "Спасибо, хорошего дня!",
    "Ок, 5 минут",
    "100% согласен",
    "мы на связи 24/7",
    "Напишите, пожалуйста, подробнее, что случилось",
    "если бы да кабы",
  ])("«%s» holds nothing of one talk: everyone", (reply) => {
    expect(audience(reply)).toBe(0);
  });

  test.each([
    ["a number", "Итого 1500 рублей"],
    ["a number in words", "Стоит две тысячи"],
    ["a phone", "Звоните +7 916 123-45-67"],
    ["an e-mail", "Пишите на shop@example.ru"],
    ["a link", "Смотрите https://example.ru/a"],
    ["a handle", "Это к @ivanov"],
    ["a date", "Привезу завтра"],
    ["an address", "Приходите на улицу у парка"],
    ["a contact's name", "анне уже ответил"],
    ["a contact's surname", "спросите у петровой"],
    ["a contact's short name", "Ли занят"],
    ["a contact's name in Latin", "ask john about it"],
    ["an unknown name", "Это решает Виктор"],
    ["a name without a capital", "спроси у маши"],
    ["somebody spoken of", "Ему я перезвоню"],
    ["a secret", "Пароль прежний"],
    ["a promise", "Хорошо, переведу"],
  ])("%s keeps the reply to its contact: «%s»", (_what, reply) => {
    expect(audience(reply)).toBe(7);
  });

  test("whatever was said in a group stays with the one it was said to", () => {
    expect(audience("Привет!", "group")).toBe(7);
  });

  test("a short name is no part of other words", () => {
    expect(audience("Если можно")).toBe(0);
    expect(audience("Приехали или нет")).toBe(0);
  });
});
