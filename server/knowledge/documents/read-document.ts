// Reads an uploaded document's text. The bytes determine its type; the name only has to agree.
import { extname } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge/knowledge.ts";
import { tooLarge, unprocessable, unsupported } from "#server/platform/errors.ts";
import { csvText } from "./csv-text.ts";
import { decodeText } from "./decode-text.ts";
import { type ArchiveKind, DOCUMENT_EXTENSIONS, type DocumentKind, MIMES } from "./document-kinds.ts";
import { checkArchive } from "./file-formats/check-archive.ts";
import { docxText, mainPartOf } from "./file-formats/docx-text.ts";
import { pdfText } from "./file-formats/pdf-text.ts";
import { xlsxText } from "./file-formats/xlsx-text.ts";
import { headingTitle } from "./heading-title.ts";
import { htmlText, oneLine } from "./html-text.ts";

interface DocumentFile {
  /** The user's file name; only its extension is used. */
  name: string;
  bytes: Buffer;
}

export interface DocumentText {
  /** LF line breaks, headings as «# …», no NUL; never empty, at most MAX_DOCUMENT_CHARS long. */
  text: string;
  mime: string;
  title?: string;
}

export const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024;
/** Maximum size of markup for a text of the allowed length; parsing more would be pointless. */
const MAX_MARKUP = 5 * 1024 * 1024;
const MAX_OFFICE_XML = 40 * 1024 * 1024;

/**
 * Reads txt, md, html, csv, pdf, docx and xlsx. Throws `unsupported` (another type, or a name that contradicts it), `tooLarge`, `unprocessable`
 * (empty, damaged, encrypted, scanned, unsafe archive). Large files block the thread for seconds: call it from a worker.
 */
export async function readDocument({ name, bytes }: DocumentFile): Promise<DocumentText> {
  if (bytes.length === 0) throw unprocessable("document_empty", "Файл пуст");
  if (bytes.length > MAX_DOCUMENT_BYTES) throw tooLarge("document_too_large", "Файл больше 50 МБ");
  const claimed = DOCUMENT_EXTENSIONS[extname(name).toLowerCase()];
  const { kind, content } = await recognise(bytes, claimed, name);
  const { text: raw, title } = await extract(kind, content, bytes);
  // Hyphens of the layout alone: invisible ones, and those that forbid a line's end.
  const text = raw.replaceAll("\0", "").replaceAll("\u00ad", "").replaceAll("\u2011", "-").toWellFormed().trim();
  if (text === "") throw unprocessable("document_empty", "В файле нет текста");
  if (text.length > MAX_DOCUMENT_CHARS) throw tooLong();
  return title === undefined ? { text, mime: MIMES[kind] } : { text, mime: MIMES[kind], title };
}

const tooLong = () => tooLarge("document_too_large", "Документ длиннее 500 000 символов: разделите его на части");

/** `content`: the decoded text of a text type, else empty. */
async function recognise(
  bytes: Buffer,
  claimed: DocumentKind | undefined,
  name: string,
): Promise<{ kind: DocumentKind; content: string }> {
  const start = bytes.toString("latin1", 0, 64).replace(/^(?:\xef\xbb\xbf)?\s*/, "");
  const binary = start.startsWith("%PDF-")
    ? "pdf"
    : start.startsWith("PK\x03\x04")
      ? await archiveKind(bytes, name)
      : null;
  if (binary) {
    if (claimed && claimed !== binary) throw mismatch(name, NAMED[binary]);
    return { kind: binary, content: "" };
  }
  if (start.startsWith("{\\rtf"))
    throw unsupported("document_type_unsupported", "RTF не поддерживается: сохраните документ как .docx");
  const content = decodeText(bytes);
  if (content === null) {
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
    if (type?.ext === "cfb") {
      throw unsupported(
        "document_type_unsupported",
        "Старые форматы Office не поддерживаются: сохраните файл как .docx или .xlsx",
        { detail: type.mime },
      );
    }
    if (claimed) throw mismatch(name, type ? `это ${type.ext.toUpperCase()}` : "это не текст", type?.mime);
    throw unsupported("document_type_unsupported", SUPPORTED, { detail: type?.mime ?? "unknown bytes" });
  }
  if (claimed === "pdf" || claimed === "docx" || claimed === "xlsx") throw mismatch(name, "это обычный текст");
  const page = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(
    content.slice(0, 4000),
  );
  return { kind: page ? "html" : (claimed ?? "txt"), content };
}

const SUPPORTED = "Поддерживаются TXT, Markdown, HTML, CSV, PDF, DOCX и XLSX";
const NAMED = { pdf: "это PDF", docx: "это документ Word", xlsx: "это таблица Excel" };

/** The name of the actual type completes the error sentence. */
function mismatch(name: string, reality: string, detail?: string) {
  const extension = extname(name).toLowerCase();
  return unsupported(
    "document_type_mismatch",
    `Содержимое файла не соответствует расширению ${extension}: ${reality}. ${SUPPORTED}`,
    detail === undefined ? {} : { detail },
  );
}

async function archiveKind(bytes: Buffer, name: string): Promise<ArchiveKind> {
  const entries = await checkArchive(bytes);
  const has = (path: string) => entries.some((entry) => entry.name === path);
  const isWorkbook = has("xl/workbook.xml");
  if (has("[Content_Types].xml") && (isWorkbook || (await mainPartOf(bytes)) !== null)) {
    const xml = entries
      .filter((entry) => /\.(?:xml|rels)$/i.test(entry.name))
      .reduce((sum, entry) => sum + entry.size, 0);
    if (xml > MAX_OFFICE_XML) throw tooLong();
    return isWorkbook ? "xlsx" : "docx";
  }
  if (DOCUMENT_EXTENSIONS[extname(name).toLowerCase()]) throw mismatch(name, "это архив");
  throw unsupported("document_type_unsupported", `Архивы не читаются. ${SUPPORTED}`);
}

async function extract(kind: DocumentKind, content: string, bytes: Buffer): Promise<{ text: string; title?: string }> {
  if (content.length > (kind === "html" || kind === "csv" ? MAX_MARKUP : MAX_DOCUMENT_CHARS * 1.2)) throw tooLong();
  switch (kind) {
    case "txt":
      return { text: content };
    case "md": {
      const heading = /^#{1,2} +(?! )(.+)$/m.exec(content.slice(0, 5000));
      return heading ? { text: content, title: oneLine(headingTitle(heading[1]!)) } : { text: content };
    }
    case "html":
      return htmlText(content);
    case "csv":
      return { text: csvText(content) };
    case "pdf":
      return pdfText(bytes);
    case "docx":
      return docxText(bytes);
    case "xlsx":
      return xlsxText(bytes);
  }
}
