import { expect, test } from "vitest";
import { fillName } from "./fill-name.ts";

test("the contact is called by the first name, wherever it stands", () => {
  expect(fillName("{имя}, здравствуйте! Ждём вас, {имя}.", "Мария Соколова")).toBe(
    "Мария, здравствуйте! Ждём вас, Мария.",
  );
  expect(fillName("{имя}, добрый день", "Анна-Мария д’Арк")).toBe("Анна-Мария, добрый день");
});

test.each(["+7 912 345-67-89", "@shop", "", "79123456789"])(
  "a contact without a name is not addressed: «%s»",
  (contact) => {
    expect(fillName("Здравствуйте, {имя}! Доставим завтра.", contact)).toBe("Здравствуйте! Доставим завтра.");
    expect(fillName("{имя}, доставим завтра.", contact)).toBe("Доставим завтра.");
  },
);

test("a name is put in as it is, whatever signs it has", () => {
  expect(fillName("{имя}!", "О'Нил $& Ко")).toBe("О'Нил!");
});
