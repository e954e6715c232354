import { expect, test } from "vitest";
import { fileOfText } from "./file-of-text.ts";
import { isOnlyDocument } from "./only-document.ts";

test("pasted text becomes a file that its first line names, without what no file name may hold", async () => {
  const file = fileOfText("\n  Доставка: цены/сроки\nКурьер едет два дня");
  expect([file.name, await file.text()]).toEqual([
    "Доставка цены сроки.txt",
    "\n  Доставка: цены/сроки\nКурьер едет два дня",
  ]);
  expect(fileOfText("***").name).toBe("Текст.txt");
});

test("a file that no messenger or mailbox exports is taken as a document wherever it is dropped", () => {
  expect(
    ["a.PDF", "b.docx", "c.md", "chat.txt", "result.json", "d.zip"].map((name) => isOnlyDocument({ name })),
  ).toEqual([true, true, true, false, false, false]);
});
