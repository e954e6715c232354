import { expect, test } from "vitest";
import { ContactNames } from "./contact-names.ts";

const names = new ContactNames(["Анна Петрова", "Ли", "Роман", "Толик", "John Smith", "🙂"]);

test.each(["анне уже ответил", "спросите у петровой", "Ли занят", "ask john about it"])(
  "a contact's name is found in any case: «%s»",
  (text) => expect(names.occurIn(text)).toBe(true),
);

test.each(["Если можно", "Приехали или нет", "да, конечно)"])(
  "a short name is not found inside other words: «%s»",
  (text) => expect(names.occurIn(text)).toBe(false),
);
