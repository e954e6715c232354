import { expect, test } from "vitest";
import { MAX_UPLOAD_BYTES } from "#contract/knowledge/knowledge.ts";
import { refusalOf } from "./accepted-files.ts";

test.each([
  "заметки.txt",
  "README.md",
  "Цены.PDF",
  "договор.docx",
  "страница.htm",
  "выгрузка.csv",
  "прайс.JPG",
  "заметка.ogg",
])("%s is sent", (name) => {
  expect(refusalOf({ name, size: 10 })).toBeUndefined();
});

test("a file that the server would refuse is refused before it is sent", () => {
  expect(refusalOf({ name: "фото.heic", size: 10 })).toBe(
    "Этот вид файлов не поддерживается: подходят txt, md, html, pdf, docx, xlsx, csv, картинки и записи голоса",
  );
  expect(refusalOf({ name: "pdf", size: 10 })).toContain("не поддерживается");
  expect(refusalOf({ name: "пусто.txt", size: 0 })).toBe("Файл пуст");
  expect(refusalOf({ name: "книга.pdf", size: MAX_UPLOAD_BYTES })).toBeUndefined();
  expect(refusalOf({ name: "книга.pdf", size: MAX_UPLOAD_BYTES + 1 })).toBe(
    "Файл больше 50\u00a0МБ: разделите его на части",
  );
});
