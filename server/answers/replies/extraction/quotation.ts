/**
 * Quotes the passage of a document closest to a message, for when no sentence reliably answers. A quotation is a coherent piece: a
 * question with its answer, a table row with its headings, a list with its introduction, or adjacent sentences of a paragraph.
 */
import { type Block, documentBlocks } from "#server/knowledge/documents/document-blocks.ts";
import { isHeaderRule, tableCells } from "#server/knowledge/documents/table-row.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { withoutMarkup } from "./markup.ts";
import type { Citation } from "./reader.ts";

const LONGEST = 420;
const LONGEST_PARAGRAPH = 300;

/** @param sentence the best matching one; the result is null when the piece around it says nothing */
export function quotationOf(sentence: string, chunk: ReplyChunk): Citation | null {
  const at = chunk.text.indexOf(sentence.trim());
  const blocks = documentBlocks(chunk.text);
  const index = blocks.findIndex(({ start, end }) => at >= start && at < end);
  if (at < 0 || index < 0) return { text: withoutMarkup(sentence), chunk };
  const block = blocks[index]!;
  const text = pieceOf(chunk, block.kind === "heading" ? (blocks[index + 1] ?? block) : block, at);
  return text === "" ? null : { text, chunk };
}

/**
 * Returns the table row or record that contains the sentence, in words; null when there is none.
 * @param asked words of the question: if they name columns or cell contents, only those columns are returned
 */
export function recordOf(sentence: string, { text }: ReplyChunk, asked: readonly string[] = []): string | null {
  const at = text.indexOf(sentence.trim());
  const block = at < 0 ? undefined : documentBlocks(text).find(({ start, end }) => at >= start && at < end);
  if (block?.kind !== "items") return null;
  const lines = text.slice(block.start, block.end).split("\n");
  const fields = lines.map((line) => FIELD.exec(line));
  if (fields.every((field) => field !== null)) {
    const [[, , name = ""] = [], ...rest] = fields;
    return rowInWords(["", ...rest.map((field) => field![1]!)], [name, ...rest.map((field) => field![2]!)], asked);
  }
  return isHeaderRule(lines[1] ?? "") ? itemPiece(text, block, at, asked) || null : null;
}

const FIELD = /^([\p{L}\p{N}][^:\n]{0,59}): (\S.*)$/u;

function pieceOf({ text, sentences }: ReplyChunk, block: Block, at: number): string {
  const whole = text.slice(block.start, block.end);
  switch (block.kind) {
    case "heading":
      return "";
    case "question":
      return withoutMarkup(whole.replace(LABEL, "")).slice(0, LONGEST);
    case "items":
      return itemPiece(text, block, at);
    case "paragraph":
      return whole.length <= LONGEST ? withoutMarkup(whole) : around(sentences, whole, text.slice(at));
  }
}

/** Labels such as «Вопрос:» and «**Ответ:**» at the start of a line. */
const LABEL =
  /^[ \t]{0,9}(?:[*_]{2})?(?:Вопрос|Ответ|В|О|Question|Answer|Q|A)(?: ?№? ?\d{1,9})? ?[:.)](?:[*_]{2})?[ \t]{0,9}/gimu;

function itemPiece(text: string, block: Block, at: number, asked: readonly string[] = []): string {
  const starts = block.items;
  const items = starts.map((start, i) => text.slice(start, starts[i + 1] ?? block.end).trim());
  const place = Math.max(
    0,
    starts.findLastIndex((start) => start <= at),
  );
  const [first = ""] = items;
  const headings = tableCells(first);
  if (headings !== null && isHeaderRule(items[1] ?? "")) {
    const row = tableCells(items[Math.max(2, place)] ?? "");
    return row === null ? "" : rowInWords(headings, row, asked);
  }
  if (block.end - block.start <= LONGEST) return withoutMarkup(text.slice(block.start, block.end));
  const announced = /:\s*$/m.test(first.split("\n", 1)[0]!) ? first.split("\n", 1)[0]! : "";
  const item = items[place]!;
  return withoutMarkup(announced === "" || item.startsWith(announced) ? item : `${announced}\n${item}`).slice(
    0,
    LONGEST,
  );
}

/** Puts the row into words: «Роза 60 см: 1 шт — 220, букет 9 шт — 1 900». */
function rowInWords(
  headings: readonly string[],
  [name = "", ...cells]: readonly string[],
  asked: readonly string[],
): string {
  const stems = new Set(asked.map(stemOf));
  const isAsked = (text: string) => wordsOf(text).some((word) => stems.has(stemOf(word)));
  const filled = cells.flatMap((cell, at) => {
    const heading = headings[at + 1] ?? "";
    if (cell === "" || cell === "—" || cell === "-") return [];
    return [{ text: heading === "" ? cell : `${heading} — ${cell}`, meant: isAsked(heading) || isAsked(cell) }];
  });
  const meant = filled.filter((cell) => cell.meant);
  const said = (meant.length > 0 ? meant : filled).map(({ text }) => text);
  return withoutMarkup(said.length === 0 ? name : `${name}: ${said.join(", ")}`);
}

function around(sentences: ReplyChunk["sentences"], whole: string, from: string): string {
  const here = sentences.filter(({ text }) => whole.includes(text.trim()));
  const at = Math.max(
    0,
    here.findIndex(({ text }) => from.startsWith(text.trim())),
  );
  const chosen = [here[at]!];
  let length = here[at]!.text.length;
  for (const one of [...here.slice(at + 1, at + 3), ...here.slice(Math.max(0, at - 1), at)]) {
    if (length + one.text.length > LONGEST_PARAGRAPH) continue;
    length += one.text.length;
    chosen.push(one);
  }
  return withoutMarkup(
    here
      .filter((one) => chosen.includes(one))
      .map(({ text }) => text.trim())
      .join(" "),
  );
}
