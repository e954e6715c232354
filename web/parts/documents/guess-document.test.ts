import { expect, test } from "vitest";
import { titleOf, typeOf } from "./guess-document.ts";

const file = (name: string, text = "Просто текст") => new File([text], name);

test("the name of a file says what kind of document it is", async () => {
  for (const [name, type] of [
    ["Частые вопросы.pdf", "faq"],
    ["Правила дачи.docx", "policy"],
    ["ПРАЙС_2025.csv", "product"],
    ["Скрипт звонка.txt", "sales"],
    ["Инструкция по сборке.pdf", "support"],
    ["IMG_2031.jpg", undefined],
  ] as const) {
    expect(await typeOf(file(name)), name).toBe(type);
  }
});

test("a text whose name says nothing is known by its questions or its prices", async () => {
  expect(await typeOf(file("1.txt", "Есть доставка?\nДа\nА примерка?\r\nДа\nКогда открыты?\nС 9"))).toBe("faq");
  expect(await typeOf(file("1.md", "Торт 900 ₽\nПирог 500 руб.\nКекс 90₽"))).toBe("product");
  expect(await typeOf(file("1.txt"))).toBeUndefined();
  expect(await typeOf(file("1.pdf", "Да?\nНет?\nКак?"))).toBeUndefined();
});

test("a document is called by its file, without ending and underscores", () => {
  expect(titleOf({ name: "прайс_2025.pdf" })).toBe("прайс 2025");
  expect(titleOf({ name: "Версия 2.1 для всех.docx" })).toBe("Версия 2.1 для всех");
  expect(titleOf({ name: ".txt" })).toBe(".txt");
});
