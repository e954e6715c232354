/**
 * Quotes the passage of a document closest to a message, for when no sentence reliably answers. A quotation is a coherent piece: a
 * question with its answer, a table row with its headings, a list with its introduction, or adjacent sentences of a paragraph.
 */
import { type Block, documentBlocks } from "#server/knowledge/documents/document-blocks.ts";
import { isHeaderRule, tableCells } from "#server/knowledge/documents/table-row.ts";
import { denies } from "#server/knowledge/language/negation.ts";
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
  if (text === "") return null;
  const before = blocks[index - 1];
  const caption = before?.kind === "paragraph" ? chunk.text.slice(before.start, before.end).trim() : "";
  const isCaptioned =
    block.kind === "items" && isCaption(caption) && (denies(caption) || before!.end + 1 === block.start);
  return { text: isCaptioned ? `${withoutMarkup(caption)}:\n${text}` : underDenial(text, chunk), chunk };
}

/** Whether a line above a list entitles it: «Не ремонтируем». */
export const isCaption = (line: string): boolean =>
  line !== "" && line.length <= 80 && !line.includes("\n") && !/[.!?…,;:]$/.test(line);

/** Puts a heading such as «Чего не ремонтируем» before what stands under it, for without it the text says the opposite. */
export function underDenial(text: string, { heading }: Pick<ReplyChunk, "heading">): string {
  const title = heading.split(" › ").at(-1)!.trim();
  if (!denies(title) || title.endsWith("?") || denies(text)) return text;
  return `${title.replace(/[\s:.]{1,9}$/, "")}:${text.includes("\n") ? "\n" : " "}${text}`;
}

/**
 * Returns the table row or record that contains the sentence, in words; null when there is none.
 * @param asked words of the question: if they name columns or cell contents, only those columns are returned, with conditions
 */
export function recordOf(
  sentence: string,
  { text }: Pick<ReplyChunk, "text">,
  asked: readonly string[] = [],
): string | null {
  const { at, block, lines } = itemsAround(sentence, text);
  if (block === null) return null;
  const fields = fieldsOf(lines, text);
  if (fields !== null) {
    const [[first, name] = ["", ""], ...rest] = fields;
    return rowInWords([first, ...rest.map(([heading]) => heading)], [name, ...rest.map(([, value]) => value)], asked);
  }
  return isHeaderRule(lines[1] ?? "") ? itemPiece(text, block, at, asked) || null : null;
}

/** Returns the table row with its column headings, or the whole record, as written; the sentence itself when it is in neither. */
export function rowAround(sentence: string, { text }: Pick<ReplyChunk, "text">): string {
  const { lines } = itemsAround(sentence, text);
  if (fieldsOf(lines, text) !== null) return lines.join("\n");
  return isHeaderRule(lines[1] ?? "") ? `${lines[0]}\n${sentence}` : sentence;
}

function itemsAround(sentence: string, text: string) {
  const at = text.indexOf(sentence.trim());
  const block = at < 0 ? undefined : documentBlocks(text).find(({ start, end }) => at >= start && at < end);
  return block?.kind === "items"
    ? { at, block, lines: text.slice(block.start, block.end).split("\n") }
    : { at, block: null, lines: [] };
}

/**
 * Returns heading and value of each field of a record; null when the lines are none. Its first field names it, as a row's first cell does;
 * «Адрес: …» and «Телефон: …» of one shop are no record.
 */
function fieldsOf(lines: readonly string[], text: string): [heading: string, value: string][] | null {
  const fields = lines.map((line) => FIELD.exec(line));
  if (fields.length === 0 || fields.some((field) => field === null)) return null;
  const [, heading = "", name = ""] = fields[0]!;
  if (/[,;]|\d{3}/.test(name) && text.split(`${heading}: `).length < 3) return null;
  return fields.map((field) => [field![1]!, field![2]!]);
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
export const LABEL =
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

/** Columns that restrict or explain the others and are said with each of them. */
const CONDITION = /примечан|услови|огранич|оговор|исключ|важно|коммент|единиц|ед\. ?изм|note|condition|unit/iu;

/** Puts the row into words: «Роза 60 см: 1 шт — 220, букет 9 шт — 1 900». */
function rowInWords(
  headings: readonly string[],
  [name = "", ...cells]: readonly string[],
  asked: readonly string[],
): string {
  const stems = new Set(asked.map(stemOf));
  // Names a row by its heading too when its name has no letters: «Зона 4».
  const named = /\p{L}/u.test(name) || headings[0] === "" ? name : `${headings[0]} ${name}`;
  const isAsked = (text: string) => wordsOf(text).some((word) => stems.has(stemOf(word)));
  const filled = cells.flatMap((cell, at) => {
    const heading = headings[at + 1] ?? "";
    if (cell === "" || cell === "—" || cell === "-") return [];
    const text = heading === "" ? cell : `${heading} — ${cell}`;
    return [{ text, isAsked: isAsked(heading) || isAsked(cell), isCondition: CONDITION.test(heading) }];
  });
  const names = filled.some((cell) => cell.isAsked && !cell.isCondition);
  const meant = names ? filled.filter((cell) => cell.isAsked || cell.isCondition) : filled;
  const said = meant.map(({ text }) => text);
  return withoutMarkup(said.length === 0 ? named : `${named}: ${said.join(", ")}`);
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
