import { utils, type WorkBook, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { zipOf } from "#server/test/files/zip.ts";
import { readDocument } from "../read-document.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const NAMES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"';
const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const relations = (...list: [kind: string, target: string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(([kind, target], at) => `<Relationship Id="r${at}" Type="${OFFICE}/${kind}" Target="${target}"/>`)
    .join("")}</Relationships>`;

interface WordParts {
  body: string;
  main?: string;
  margins?: Record<string, string>;
}

function readWord({ body, main = "document.xml", margins = {} }: WordParts) {
  const rels = Object.keys(margins).map((name): [string, string] => [name.replace(/\d.*/, ""), name]);
  const files = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations(["officeDocument", `word/${main}`]),
    [`word/${main}`]: `<w:document ${NAMES}><w:body>${body}</w:body></w:document>`,
    [`word/_rels/${main}.rels`]: relations(...rels),
    ...Object.fromEntries(Object.entries(margins).map(([name, markup]) => [`word/${name}`, markup])),
  };
  const parts = Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) }));
  return readDocument({ name: "прайс.docx", bytes: zipOf(parts) });
}

test("a document whose main part Word for the web has called «document2.xml» is read", async () => {
  const { text } = await readWord({ body: paragraph("Замена масла 1800 рублей."), main: "document2.xml" });
  expect(text).toBe("Замена масла 1800 рублей.");
});

test("headers and footers are read once each, and page numbers are not", async () => {
  const header = `<w:hdr ${NAMES}>${paragraph("Гараж, ул. Мира, 5")}</w:hdr>`;
  const page = "<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>Стр. 1</w:t></w:r></w:p>";
  const { text } = await readWord({
    body: paragraph("Замена масла 1800 рублей."),
    margins: {
      "header1.xml": header,
      "header2.xml": header,
      "footer1.xml": `<w:ftr ${NAMES}>${paragraph("Цены до 31 декабря")}</w:ftr>`,
      "footer2.xml": `<w:ftr ${NAMES}>${page}</w:ftr>`,
    },
  });
  expect(text).toBe("Гараж, ул. Мира, 5\n\nЗамена масла 1800 рублей.\n\nЦены до 31 декабря");
});

test("a link in a header that its own relationships name does not cost the document", async () => {
  const link = `<w:p><w:hyperlink r:id="rId9" xmlns:r="${OFFICE}"><w:r><w:t>сайт фирмы</w:t></w:r></w:hyperlink></w:p>`;
  const margins = {
    "header1.xml": `<w:hdr ${NAMES}>${link}</w:hdr>`,
    "footer1.xml": `<w:ftr ${NAMES}>${paragraph("+7 495 123-45-67")}</w:ftr>`,
  };
  const { text } = await readWord({ body: paragraph("Замена масла 1800 рублей."), margins });
  expect(text).toBe("Замена масла 1800 рублей.\n\n+7 495 123-45-67");
});

test("the text of a box is read once, whether or not the older form of the box stands beside the new one", async () => {
  const inside = `<w:txbxContent>${paragraph("Акция: масло 1500")}</w:txbxContent>`;
  const choice = `<mc:Choice Requires="wps"><w:drawing><wps:txbx>${inside}</wps:txbx></w:drawing></mc:Choice>`;
  const fallback = `<mc:Fallback><w:pict><v:textbox>${inside}</v:textbox></w:pict></mc:Fallback>`;
  for (const forms of [choice, `${choice}${fallback}`]) {
    const box = `<w:p><w:r><mc:AlternateContent>${forms}</mc:AlternateContent></w:r></w:p>`;
    expect((await readWord({ body: paragraph("Прайс") + box })).text).toBe("Прайс\n\nАкция: масло 1500");
  }
});

const workbookOf = (sheets: Record<string, unknown[][]>): WorkBook => {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  return book;
};
const readExcel = (book: WorkBook, name = "прайс.xlsx") =>
  readDocument({ name, bytes: write(book, { type: "buffer", bookType: "xlsx" }) });

test("a workbook's sheets are tables, its values stand as Excel shows them, and hidden sheets are not read", async () => {
  const book = workbookOf({
    Цены: [["Прайс с 1 сентября"], [], ["Услуга", "Цена", "Скидка"], ["Масло", 1800, 0.15], ["Развал", 2500.5, null]],
    Часы: [
      ["День", "С"],
      ["Среда", new Date(Date.UTC(2026, 8, 14))],
    ],
    Закупка: [["Тайна"]],
  });
  const prices = book.Sheets.Цены!;
  Object.assign(prices.B4, { z: '# ##0" ₽"' });
  Object.assign(prices.C4, { z: "0%" });
  // The computer's own short date, which is stored as the format of the United States.
  Object.assign(book.Sheets.Часы!.B2, { z: "m/d/yy" });
  book.Workbook = { Sheets: [{}, {}, { Hidden: 1 }] };
  const { text, mime } = await readExcel(book);
  expect(mime).toContain("spreadsheetml");
  expect(text).toBe(
    "# Цены\n\n# Прайс с 1 сентября\n\nУслуга: Масло\nЦена: 1 800 ₽\nСкидка: 15%\n\nУслуга: Развал\nЦена: 2500.5\n\n" +
      "# Часы\n\nДень: Среда\nС: 14.09.2026",
  );
});

test("a merged category stands in each of its rows, a mark is a word, and a date with its time is Russian", async () => {
  const sheet = utils.aoa_to_sheet([
    ["Раздел", "Услуга", "Есть запись", "С какого времени"],
    ["Стрижки", "Мужская", true, 46_356.375],
    [null, "Детская", false, null],
  ]);
  sheet["!merges"] = [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }];
  Object.assign(sheet.D2, { t: "n", z: "m/d/yy h:mm" });
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, "Лист1");
  const { text } = await readExcel(book);
  expect(text.split("\n\n").map((row) => row.split("\n"))).toEqual([
    ["Раздел: Стрижки", "Услуга: Мужская", "Есть запись: да", "С какого времени: 30.11.2026 09:00"],
    ["Раздел: Стрижки", "Услуга: Детская", "Есть запись: нет"],
  ]);
});

test("a workbook of one sheet has no heading of its own, and an empty or damaged one is refused", async () => {
  expect(
    (
      await readExcel(
        workbookOf({
          Лист1: [
            ["Услуга", "Цена"],
            ["Масло", 1800],
          ],
        }),
      )
    ).text,
  ).toBe("Услуга: Масло\nЦена: 1800");
  await expect(readExcel(workbookOf({ Лист1: [[]] }))).rejects.toMatchObject({ code: "document_empty" });
  await expect(readExcel(workbookOf({ Лист1: [["a"]] }), "прайс.docx")).rejects.toMatchObject({
    code: "document_type_mismatch",
  });
  const broken = ["[Content_Types].xml", "xl/workbook.xml"].map((name) => ({ name, content: Buffer.from("<") }));
  await expect(readDocument({ name: "a.xlsx", bytes: zipOf(broken) })).rejects.toMatchObject({ status: 422 });
});
