import { getDocumentProxy } from "unpdf";
import type { PDFPageProxy } from "unpdf/pdfjs";
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge/knowledge.ts";
import { Problem, tooLarge, unprocessable } from "#server/platform/errors.ts";
import { oneLine } from "../html-text.ts";
import { createHyphenJudge } from "./line-hyphens.ts";

const MAX_PAGES = 2000;
/** Leaves a margin for line breaks and page numbers, which are removed later. */
const MAX_RAW_CHARS = MAX_DOCUMENT_CHARS * 1.2;

/** Options for text extraction only: no images are decoded, no fonts are built, nothing is fetched. */
const TEXT_ALONE = {
  verbosity: 0,
  maxImageSize: 0,
  disableFontFace: true,
  useWasm: false,
  useWorkerFetch: false,
  isImageDecoderSupported: false,
  isOffscreenCanvasSupported: false,
};

/** Returns the text layer of a PDF, with lines joined to paragraphs. Throws `unprocessable` (damaged, encrypted, scanned), `tooLarge`. */
export async function pdfText(bytes: Buffer): Promise<{ text: string; title?: string }> {
  // Copied, because the PDF reader detaches the buffer.
  const pdf = await getDocumentProxy(new Uint8Array(bytes), TEXT_ALONE).catch((error) => {
    throw refusal(error);
  });
  try {
    if (pdf.numPages > MAX_PAGES)
      throw tooLarge("document_too_large", "В PDF больше 2 000 страниц: разделите его на части");
    const lines: string[] = [];
    let length = 0;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const text = await pageText(page, MAX_RAW_CHARS - length);
      page.cleanup();
      length += text.length;
      lines.push(
        ...withoutPageNumber(
          text.split("\n").map((line) => line.replace(/\s+/g, " ").trim()),
          number,
        ),
      );
    }
    const text = joinLines(lines);
    if (text === "")
      throw unprocessable("document_empty", "В PDF нет текста: похоже, это скан. Распознайте его и загрузите снова");
    const info = (await pdf.getMetadata().catch(() => null))?.info as { Title?: unknown } | undefined;
    const title = oneLine(typeof info?.Title === "string" ? info.Title.replaceAll("\0", "") : "");
    return title === "" ? { text } : { text, title };
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw refusal(error);
  } finally {
    await pdf.loadingTask.destroy().catch(() => undefined);
  }
}

type TextItem = Extract<Awaited<ReturnType<PDFPageProxy["getTextContent"]>>["items"][number], { str: string }>;

/** A piece of a line without a wide gap, which begins at `x`; lengths are in the page's units. */
interface Segment {
  x: number;
  text: string;
}

interface Line {
  segments: Segment[];
  fontSize: number;
}

/** Gaps wider than this many font sizes divide columns or cells. */
const WIDE_GAP = 2;

/** @throws Problem 413 as soon as the page has more characters than `most` */
async function pageText(page: PDFPageProxy, most: number): Promise<string> {
  const reader = page.streamTextContent().getReader();
  const lines: Line[] = [{ segments: [], fontSize: 0 }];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return lines.map((line, at) => lineText(line, lines[at - 1], lines[at + 1])).join("\n");
    for (const item of (value as Awaited<ReturnType<PDFPageProxy["getTextContent"]>>).items) {
      if (!("str" in item)) continue;
      addItem(lines.at(-1)!, item);
      length += item.str.length;
      if (item.hasEOL) lines.push({ segments: [], fontSize: 0 });
    }
    if (length > most) {
      const refused = tooLarge("document_too_large", "Документ длиннее 500 000 символов: разделите его на части");
      await reader.cancel(refused).catch(() => undefined);
      throw refused;
    }
  }
}

function addItem(line: Line, { str, width, height, transform }: TextItem): void {
  line.fontSize = Math.max(line.fontSize, height);
  const last = line.segments.at(-1);
  const isGap = str.trim() === "" && width > WIDE_GAP * (height || line.fontSize);
  if (isGap && last !== undefined) line.segments.push({ x: Number.NaN, text: "" });
  else if (last === undefined) line.segments.push({ x: transform[4], text: str });
  else if (Number.isNaN(last.x)) Object.assign(last, { x: transform[4], text: str });
  else last.text += str;
}

/**
 * Joins the segments with « | », as cells of a row, where a line beside has one that begins at the same place: read across the gap, two columns
 * would give sentences that nobody wrote. Other gaps are spaces.
 */
function lineText({ segments, fontSize }: Line, before: Line | undefined, after: Line | undefined): string {
  const beside = [...(before?.segments.slice(1) ?? []), ...(after?.segments.slice(1) ?? [])];
  return segments
    .map(({ x, text }, at) => {
      const isCell = at > 0 && beside.some((other) => Math.abs(other.x - x) < fontSize);
      return at === 0 ? text : `${isCell ? CELL : " "}${text}`;
    })
    .join("");
}

const CELL = " | ";

function refusal(error: unknown): Problem {
  const name = error instanceof Error ? error.name : "";
  return name === "PasswordException"
    ? unprocessable("document_encrypted", "PDF защищён паролем: снимите защиту и загрузите его снова", { cause: error })
    : unprocessable("document_damaged", "PDF повреждён и не читается", { cause: error });
}

function withoutPageNumber(lines: string[], number: number): string[] {
  return lines.filter((line) => line !== String(number) && line !== `- ${number} -`);
}

/** PDF lines end at the page width, so they are joined unless a sentence, a heading or an item ends there. */
function joinLines(lines: readonly string[]): string {
  const widest = Math.max(0, ...lines.slice(0, 5000).map((line) => line.length));
  const belongsToWord = createHyphenJudge(lines);
  // Collected as an array, because extending one string would copy the whole text for every line.
  const pieces: string[] = [];
  let before = "";
  for (const line of lines) {
    if (line === "") {
      if (before !== "") pieces.push("\n\n");
    } else if (before === "") pieces.push(line);
    else if (/[\p{L}\u00ad][-\u00ad]$|\u00ad$/u.test(before) && /^\p{Ll}/u.test(line)) {
      const [first = ""] = /\p{L}{1,40}(?=-$)/u.exec(before.slice(-41)) ?? [];
      const [second = ""] = /^\p{L}{1,40}/u.exec(line) ?? [];
      if (first !== "" && belongsToWord(first, second)) pieces.push(line);
      else pieces.push(pieces.pop()!.slice(0, -1), line);
    } else pieces.push(continues(before, line, widest) ? " " : "\n", line);
    before = line;
  }
  return pieces
    .join("")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function continues(before: string, line: string, widest: number): boolean {
  if (before.includes(CELL) || line.includes(CELL)) return false;
  if (/^(?:[-–—•*▪]|\d{1,3}[.)])\s/.test(line)) return false;
  if (/^\p{Ll}/u.test(line)) return true;
  return before.length >= widest * 0.6 && !/[.!?…:;]["»)]?$/.test(before);
}
