import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge/knowledge.ts";
import { longPage } from "#server/test/files/hostile-documents.ts";
import { createHyphenJudge } from "./line-hyphens.ts";
import { pdfText } from "./pdf-text.ts";

test("a single page with more text than a document may have is refused while it is read", async () => {
  await expect(pdfText(longPage(MAX_DOCUMENT_CHARS * 1.4))).rejects.toMatchObject({
    status: 413,
    code: "document_too_large",
  });
  expect((await pdfText(longPage(20_000))).text.length).toBeGreaterThanOrEqual(20_000);
});

const sample = (name: string) => readFileSync(join(import.meta.dirname, "../samples", name));

test("a hyphen at a line's end stays where it belongs to the word", async () => {
  expect((await pdfText(sample("line-hyphens.pdf"))).text).toBe(
    "Наш интернет-магазин доставляет заказы по городу, кое-какие товары отправляем почтой, а доставка курьером стоит 300 рублей.",
  );
});

test.each([
  ["достав", "ка", false],
  ["интернет", "магазин", true],
  ["какой", "нибудь", true],
  ["Ново", "сибирск", false],
  ["прос", "то", false],
  ["из", "за", true],
  ["абвг", "дежз", false],
])("by the dictionary «%s-%s» is written with a hyphen: %s", (first, second, isOwn) => {
  expect(createHyphenJudge([])(first, second)).toBe(isOwn);
});

test("the document's own spelling comes before the dictionary's", () => {
  const judge = createHyphenJudge(["наш авто-сервис и чайкофе рядом"]);
  expect([judge("авто", "сервис"), judge("чай", "кофе")]).toEqual([true, false]);
});

test("columns that are drawn row by row are told apart, so no sentence runs across them", async () => {
  expect((await pdfText(sample("columns-by-row.pdf"))).text).toBe(
    "Левая колонка: масло стоит | Правая колонка: развал стоит\n1800 рублей с работой. | 2500 рублей без балансировки.",
  );
});
