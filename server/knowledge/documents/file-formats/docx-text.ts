// Reads a Word document: its body, then what Word keeps apart from it, headers, footers and text boxes.
import { posix } from "node:path";
import JSZip from "jszip";
import mammoth from "mammoth";
import { unprocessable } from "#server/platform/errors.ts";
import { htmlText, oneLine } from "../html-text.ts";

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Название'] => h1:fresh"];
/** Headers and footers of more sections than a document in use has. */
const MOST_MARGINS = 24;

const damaged = (cause: unknown) =>
  unprocessable("document_damaged", "Документ Word повреждён и не читается", { cause });

/**
 * Returns the name of a Word document's main part; null when the archive is no Word document. Word for the web calls it «document2.xml», so
 * only the package's relationships name it (ECMA-376, part 2, 6.5).
 */
export async function mainPartOf(bytes: Buffer): Promise<string | null> {
  const zip = await JSZip.loadAsync(bytes).catch(() => null);
  const [main] = await relationsOf(zip, "_rels/.rels", "", "officeDocument");
  return main?.startsWith("word/") && zip?.file(main) ? main : null;
}

/** @throws Problem 422 for a damaged document */
export async function docxText(bytes: Buffer): Promise<{ text: string; title?: string }> {
  const zip = await JSZip.loadAsync(bytes).catch((error: unknown) => {
    throw damaged(error);
  });
  const [main] = await relationsOf(zip, "_rels/.rels", "", "officeDocument");
  if (main === undefined) throw damaged("no main part");
  const body = (await zip.file(main)?.async("string")) ?? "";
  const related = relationsPathOf(main);
  const partsOf = async (kind: "header" | "footer") =>
    (await relationsOf(zip, related, posix.dirname(main), kind)).slice(0, MOST_MARGINS);
  const textOf = async (parts: readonly string[]) => {
    const texts: string[] = [];
    // One after the other, because each takes the body's place in the archive. One that cannot be read costs only itself.
    for (const part of parts) texts.push(await marginText(zip, main, part).catch(() => ""));
    // The first page's header, and those of even pages and later sections, mostly repeat the usual one.
    return [...new Set(texts)];
  };
  const text = await markupText(zip, main, withReadableBoxes(body)).catch(() => markupText(zip, main, body));
  const heading = /^# (.+)$/m.exec(text.slice(0, 2000));
  const [headers, footers] = [await partsOf("header"), await partsOf("footer")];
  const whole = [...(await textOf(headers)), text, ...(await textOf(footers))].filter((part) => part !== "");
  return { text: whole.join("\n\n"), ...(heading && { title: oneLine(heading[1]!) }) };
}

/** Reads a header or footer as if it were the body. One that holds a page's number alone has no text. */
async function marginText(zip: JSZip, main: string, part: string): Promise<string> {
  const markup = (await zip.file(part)?.async("string")) ?? "";
  const body = markup
    .replace(/<w:(?:hdr|ftr)\b([^<>]{0,10000})>/, "<w:document$1><w:body>")
    .replace(/<\/w:(?:hdr|ftr)>/, "</w:body></w:document>");
  if (!body.includes("<w:body>")) return "";
  // Its links and pictures are named by its own relationships.
  zip.file(relationsPathOf(main), (await zip.file(relationsPathOf(part))?.async("string")) ?? NO_RELATIONS);
  const text = await markupText(zip, main, withReadableBoxes(body));
  const isPageNumber = /\b(?:PAGE|NUMPAGES)\b/.test(markup) && !/\p{L}{3,}.*\p{L}{3,}/u.test(text);
  const isEmpty = !/\p{L}/u.test(text) && (text.match(/\d/g)?.length ?? 0) < PHONE_DIGITS;
  return isPageNumber || isEmpty ? "" : text;
}

const NO_RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>';
const PHONE_DIGITS = 6;

const relationsPathOf = (part: string): string =>
  posix.join(posix.dirname(part), "_rels", `${posix.basename(part)}.rels`);

async function markupText(zip: JSZip, main: string, body: string): Promise<string> {
  zip.file(main, body);
  const buffer = await zip.generateAsync({ type: "nodebuffer", compression: "STORE" });
  const { value } = await mammoth
    .convertToHtml({ buffer }, { styleMap: STYLES, convertImage: mammoth.images.imgElement(async () => ({ src: "" })) })
    .catch((error: unknown) => {
      throw damaged(error);
    });
  return htmlText(value).text;
}

const ATTRIBUTE = /\s([A-Za-z]{1,20})="([^"<>]{0,1000})"/g;
const RELATION = /<Relationship\b[^<>]{1,2000}>/g;

/** Returns the targets of relationships of a kind, as names in the archive. */
async function relationsOf(zip: JSZip | null, name: string, folder: string, kind: string): Promise<string[]> {
  const markup = (await zip?.file(name)?.async("string")) ?? "";
  return [...markup.matchAll(RELATION)].flatMap(([relation]) => {
    const attributes = Object.fromEntries([...relation.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value]));
    const { Type: type = "", Target: target = "", TargetMode: mode } = attributes;
    if (!type.endsWith(`/${kind}`) || mode === "External") return [];
    const path = posix.normalize(target.startsWith("/") ? target.slice(1) : posix.join(folder, target));
    return path.startsWith("..") ? [] : [path];
  });
}

const ALTERNATIVE = /<(\/?)mc:AlternateContent\b[^<>]{0,1000}>/g;
const BOX = "<w:txbxContent";
const BOX_END = "</w:txbxContent>";

/**
 * Gives text boxes the older form that the converter reads. Word writes both forms; other programs write only the new one, within
 * `mc:AlternateContent` without `mc:Fallback`.
 */
function withReadableBoxes(markup: string): string {
  const out: string[] = [];
  let from = 0;
  let depth = 0;
  let begun = 0;
  for (const found of markup.matchAll(ALTERNATIVE)) {
    if (found[1] === "") {
      if (depth++ === 0) begun = found.index;
      continue;
    }
    if (depth === 0 || --depth > 0) continue;
    const end = found.index + found[0].length;
    const content = markup.slice(begun, end);
    if (!content.includes("<mc:Fallback")) {
      out.push(markup.slice(from, begun), inOldForm(content));
      from = end;
    }
  }
  return [...out, markup.slice(from)].join("");
}

function inOldForm(content: string): string {
  const boxes: string[] = [];
  for (let at = content.indexOf(BOX); at >= 0; ) {
    const end = content.indexOf(BOX_END, at);
    if (end < 0) break;
    boxes.push(content.slice(at, end + BOX_END.length));
    at = content.indexOf(BOX, end);
  }
  return boxes.length === 0 ? content : `<w:pict>${boxes.join("")}</w:pict>`;
}
