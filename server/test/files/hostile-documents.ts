/** Small files that unpack to much, or nest deeply: what an attacker sends to a reader of documents. */
import { deflateSync } from "node:zlib";
import { zipOf } from "./zip.ts";

/** Half a gigabyte of blanks, deflated twice: half a megabyte, and then a few hundred bytes. */
let packed: Buffer | undefined;
function bomb(): Buffer {
  packed ??= deflateSync(deflateSync(Buffer.alloc(512 * 1024 ** 2, " "), { level: 1 }), { level: 9 });
  return packed;
}

function pdfOf(objects: readonly (string | Buffer)[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const put = (part: string | Buffer) => {
    const bytes = Buffer.from(part as string);
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    put(`${at + 1} 0 obj\n`);
    put(object);
    put("\nendobj\n");
  }
  const start = length;
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) put(`${String(offset).padStart(10, "0")} 00000 n \n`);
  put(`trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
}

const streamOf = (facts: string, data: Buffer) =>
  Buffer.concat([Buffer.from(`<<${facts}/Length ${data.length}>>\nstream\n`), data, Buffer.from("\nendstream")]);

const CATALOG = "<</Type/Catalog/Pages 2 0 R>>";
const PAGES = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
const TWICE = "/Filter[/FlateDecode/FlateDecode]";

/** A page whose text unpacks, in two layers, to half a gigabyte. */
export const bombInPage = (): Buffer =>
  pdfOf([CATALOG, PAGES, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>", streamOf(TWICE, bomb())]);

/** A stream that holds objects, where the pages should be. */
export const bombInObjects = (): Buffer =>
  xrefStreamPdf(streamOf(`/Type/ObjStm/N 1/First 10${TWICE}`, bomb()), Buffer.from([2, 0, 3, 0]));

/** The table of contents itself, as a stream. */
export const bombInTable = (): Buffer => {
  const head = Buffer.from("%PDF-1.7\n");
  const table = streamOf(`/Type/XRef/Size 100000000/W[1 2 1]/Root 2 0 R${TWICE}`, bomb());
  const start = head.length;
  return Buffer.concat([head, Buffer.from("1 0 obj\n"), table, Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`)]);
};

/** Catalog and pages lie in `objects` (object 3), which the table of contents (object 4) tells of. */
function xrefStreamPdf(objects: Buffer, entry: Buffer): Buffer {
  const head = Buffer.from("%PDF-1.7\n");
  const third = Buffer.concat([Buffer.from("3 0 obj\n"), objects, Buffer.from("\nendobj\n")]);
  const start = head.length + third.length;
  const rows = [
    Buffer.from([0, 0, 0, 0]),
    entry,
    entry,
    Buffer.from([1, 0, head.length, 0]),
    Buffer.from([1, start >> 8, start & 255, 0]),
  ];
  const table = streamOf("/Type/XRef/Size 5/W[1 2 1]/Root 1 0 R", Buffer.concat(rows));
  return Buffer.concat([
    head,
    third,
    Buffer.from("4 0 obj\n"),
    table,
    Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`),
  ]);
}

/** A single page with as many characters of text, a thousand to a string. */
export const longPage = (characters: number): Buffer => {
  const strings = `(${"words in one long line ".padEnd(1000, "x")}) Tj\n`.repeat(characters / 1000);
  return pdfOf([
    CATALOG,
    PAGES,
    // As wide as the line: what stands outside a page is not read.
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${characters} 9]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>`,
    streamOf("", Buffer.from(`BT /F1 1 Tf 1 1 Td ${strings} ET`)),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ]);
};

/** A page with one word and a picture of a hundred thousand by a hundred thousand points. */
export const hugePicture = (): Buffer => {
  const words = Buffer.from("BT /F1 9 Tf 1 1 Td (Delivery takes one day and costs nothing at all for you) Tj ET /I Do");
  return pdfOf([
    CATALOG,
    PAGES,
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/XObject<</I 6 0 R>>>>>>",
    streamOf("", words),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    streamOf(
      `/Type/XObject/Subtype/Image/Width 100000/Height 100000/BitsPerComponent 8/ColorSpace/DeviceRGB${TWICE}`,
      bomb(),
    ),
  ]);
};

/** Arrays in arrays, where the pages should be. */
export const deepPdf = (): Buffer => pdfOf([CATALOG, "[".repeat(200_000), "<<>>"]);

const CONTENT_TYPES = Buffer.from(
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
);
const RELATIONS = Buffer.from(
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
);
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

const docxOf = (document: string): Buffer =>
  zipOf([
    { name: "[Content_Types].xml", content: CONTENT_TYPES },
    { name: "_rels/.rels", content: RELATIONS },
    { name: "word/document.xml", content: Buffer.from(document) },
  ]);

/** Entities of entities: two billion characters from a kilobyte. */
export const entityBomb = (): Buffer => {
  const names = [..."abcdefghi"];
  const entities = names.map((name, at) => `<!ENTITY ${name} "${at === 0 ? "lol" : `&${names[at - 1]};`.repeat(10)}">`);
  return docxOf(
    `<!DOCTYPE w [${entities.join("")}]><w:document ${WORD}><w:body><w:p><w:r><w:t>&i;</w:t></w:r></w:p></w:body></w:document>`,
  );
};

/** Tables in tables, each with a number of its own, so that they pack no tighter than a true document. */
export const deepDocx = (): Buffer => {
  const open = Array.from({ length: 5000 }, (_, at) => `<w:tbl><w:tr><w:tc w:n="${(at * 2_654_435_761) % 2 ** 32}">`);
  const close = "</w:tc></w:tr></w:tbl>".repeat(open.length);
  return docxOf(`<w:document ${WORD}><w:body>${open.join("")}<w:p/>${close}</w:body></w:document>`);
};

/** A part of a Word document that packs a thousand to one. */
export const tightDocx = (): Buffer =>
  docxOf(
    `<w:document ${WORD}><w:body><w:p><w:r><w:t>${" ".repeat(30 * 1024 ** 2)}</w:t></w:r></w:p></w:body></w:document>`,
  );

export const deepHtml = (): Buffer => Buffer.from(`<!doctype html><body>${"<div>".repeat(200_000)}слово`);

/** One row of a table, without an end and with a quotation mark that nothing closes. */
export const endlessRow = (): Buffer => Buffer.from(`вопрос,ответ\n"${"а,".repeat(1_200_000)}`);
