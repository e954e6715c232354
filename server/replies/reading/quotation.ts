/**
 * What a document says nearest to a message, as a quotation: where no sentence surely answers, whoever asks may read for himself. A
 * quotation is a piece that its author wrote as one: a question with its answer, a row of a table under its headings, a list with the
 * line that announces it, or neighbouring sentences of a paragraph.
 */
import { type Block, documentBlocks } from "#server/knowledge/document-blocks.ts";
import type { ReplyPassage } from "#server/search/passage.ts";
import { withoutMarkup } from "./markup.ts";
import { isHeaderRule, tableCells } from "./table-row.ts";

export interface Quotation {
  /** Without markup; line breaks part items. */
  text: string;
  passage: ReplyPassage;
}

/** Characters: more is a page, not an answer. */
const LONGEST = 420;
/** Of a paragraph that is longer. */
const LONGEST_PARAGRAPH = 300;

/** @param sentence what says most to the message; null where the piece it stands in says nothing */
export function quotationOf(sentence: string, passage: ReplyPassage): Quotation | null {
  const at = passage.text.indexOf(sentence.trim());
  const blocks = documentBlocks(passage.text);
  const index = blocks.findIndex(({ start, end }) => at >= start && at < end);
  if (at < 0 || index < 0) return { text: withoutMarkup(sentence), passage };
  const block = blocks[index]!;
  const text = pieceOf(passage, block.kind === "heading" ? (blocks[index + 1] ?? block) : block, at);
  return text === "" ? null : { text, passage };
}

/** The row of a table or the record of fields that the sentence stands in, in words; null where it stands in neither. */
export function recordOf(sentence: string, { text }: ReplyPassage): string | null {
  const at = text.indexOf(sentence.trim());
  const block = at < 0 ? undefined : documentBlocks(text).find(({ start, end }) => at >= start && at < end);
  if (block?.kind !== "items") return null;
  const lines = text.slice(block.start, block.end).split("\n");
  const fields = lines.map((line) => FIELD.exec(line));
  if (fields.every((field) => field !== null)) {
    const [[, , name = ""] = [], ...rest] = fields;
    return rowInWords(["", ...rest.map((field) => field![1]!)], [name, ...rest.map((field) => field![2]!)]);
  }
  return isHeaderRule(lines[1] ?? "") ? itemPiece(text, block, at) || null : null;
}

/** «Цена: 220» */
const FIELD = /^([\p{L}\p{N}][^:\n]{0,59}): (\S.*)$/u;

function pieceOf({ text, sentences }: ReplyPassage, block: Block, at: number): string {
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

/** «Вопрос:», «**Ответ:**» at the beginning of a line. */
const LABEL =
  /^[ \t]{0,9}(?:[*_]{2})?(?:Вопрос|Ответ|В|О|Question|Answer|Q|A)(?: ?№? ?\d{1,9})? ?[:.)](?:[*_]{2})?[ \t]{0,9}/gimu;

function itemPiece(text: string, block: Block, at: number): string {
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
    return row === null ? "" : rowInWords(headings, row);
  }
  if (block.end - block.start <= LONGEST) return withoutMarkup(text.slice(block.start, block.end));
  const announced = /:\s*$/m.test(first.split("\n", 1)[0]!) ? first.split("\n", 1)[0]! : "";
  const item = items[place]!;
  return withoutMarkup(announced === "" || item.startsWith(announced) ? item : `${announced}\n${item}`).slice(
    0,
    LONGEST,
  );
}

/** «Роза 60 см: 1 шт — 220, букет 9 шт — 1 900». */
function rowInWords(headings: readonly string[], [name = "", ...cells]: readonly string[]): string {
  const said = cells.flatMap((cell, at) => {
    const heading = headings[at + 1] ?? "";
    return cell === "" || cell === "—" || cell === "-" ? [] : [heading === "" ? cell : `${heading} — ${cell}`];
  });
  return withoutMarkup(said.length === 0 ? name : `${name}: ${said.join(", ")}`);
}

/** Sentences from the best one on, as long as they fit, and the one before it where there is room. */
function around(sentences: ReplyPassage["sentences"], whole: string, from: string): string {
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
