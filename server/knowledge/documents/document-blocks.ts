// Splits plain text by lines into blocks: headings, paragraphs, lists, tables, questions with answers.

import { areBareItems, FIELD, LIST_MARK } from "#server/knowledge/language/list-lines.ts";
import { headingTitle } from "./heading-title.ts";

export interface Block {
  kind: "heading" | "paragraph" | "items" | "question";
  start: number;
  end: number;
  level: number;
  title: string;
  /** Offsets of list items or table rows. */
  items: number[];
  /** Whether a list's items have no markers and are separated only by line breaks. */
  bare: boolean;
}

interface Line {
  text: string;
  start: number;
  end: number;
}

const HEADING = /^ {0,3}(#{1,6})\s+(?!\s)(.*)$/;
const UNDERLINE = /^(?:={3,}|-{3,})\s*$/;
const ITEM = LIST_MARK;
const ROW = /^\s*\|.*\||\S \| \S|\S\t\S/;
const QUESTION = /^\s*(?:[*_]{2})?(?:Вопрос|В|Question|Q)\s{0,9}(?:№?\s{0,9}\d{1,9})?\s{0,9}[:.)]/i;
const ANSWER = /^\s*(?:[*_]{2})?(?:Ответ|О|Answer|A)\s{0,9}(?:№?\s{0,9}\d{1,9})?\s{0,9}[:.)]/i;

export function documentBlocks(text: string): Block[] {
  const lines = linesOf(text);
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const { block, next } =
      heading(lines, at) ?? question(lines, at) ?? items(lines, at) ?? bareItems(lines, at) ?? paragraph(lines, at);
    blocks.push(block);
    at = next;
  }
  return withAnswers(text, blocks);
}

type Taken = { block: Block; next: number };

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    lines.push({ text: line, start, end: start + line.length });
    start += line.length + 1;
  }
  return lines;
}

const isBlank = (line: Line | undefined): boolean => line === undefined || line.text.trim() === "";

function span(kind: Block["kind"], lines: Line[], from: number, to: number, starts: number[] = []): Taken {
  const block = {
    kind,
    start: lines[from]!.start,
    end: lines[to - 1]!.end,
    level: 0,
    title: "",
    items: starts,
    bare: false,
  };
  return { block, next: to };
}

function heading(lines: Line[], at: number): Taken | null {
  const line = lines[at]!;
  const marked = HEADING.exec(line.text);
  if (marked) {
    const taken = span("heading", lines, at, at + 1);
    return { ...taken, block: { ...taken.block, level: marked[1]!.length, title: headingTitle(marked[2]!) } };
  }
  const title = line.text.trim();
  const alone = isBlank(lines[at - 1]);
  const underlined = alone && title.length <= 120 && UNDERLINE.test(lines[at + 1]?.text ?? "") && !ITEM.test(line.text);
  // A line in capitals on its own is a heading: ДОСТАВКА И ОПЛАТА.
  const capitals =
    alone && isBlank(lines[at + 1]) && title.length <= 80 && /\p{Lu}{2}/u.test(title) && !/[\p{Ll}.,;|]/u.test(title);
  if (!underlined && !capitals) return null;
  const taken = span("heading", lines, at, underlined ? at + 2 : at + 1);
  const level = underlined && lines[at + 1]!.text.startsWith("=") ? 1 : 2;
  return { ...taken, block: { ...taken.block, level, title } };
}

/** Recognises «Вопрос: … Ответ: …», with or without blank lines between them. */
function question(lines: Line[], at: number): Taken | null {
  if (!QUESTION.test(lines[at]!.text)) return null;
  let end = at + 1;
  let answered = false;
  let next = at + 1;
  for (; next < lines.length; next++) {
    const { text } = lines[next]!;
    if (QUESTION.test(text) || HEADING.test(text)) break;
    if (isBlank(lines[next])) {
      if (answered) break;
      continue;
    }
    if (ANSWER.test(text)) answered = true;
    else if (!answered && isBlank(lines[next - 1])) break;
    end = next + 1;
  }
  return answered ? span("question", lines, at, end) : null;
}

/** Recognises a list, a table or rows of «Поле: значение», with their introducing line («Нужно:»). */
function items(lines: Line[], at: number): Taken | null {
  const introduced = /:\s*$/.test(lines[at]!.text) && !ITEM.test(lines[at]!.text);
  const first = introduced ? (isBlank(lines[at + 1]) ? at + 2 : at + 1) : at;
  const shape = [ITEM, ROW, FIELD].find((each) => each.test(lines[first]?.text ?? ""));
  if (!shape || (introduced && shape === FIELD)) return null;
  const starts: number[] = introduced ? [lines[at]!.start] : [];
  let end = first;
  for (let next = first; next < lines.length; next++) {
    const line = lines[next]!;
    if (shape.test(line.text)) starts.push(line.start);
    else if (shape === ITEM && isBlank(line) && ITEM.test(lines[next + 1]?.text ?? "")) continue;
    // An indented line continues a wrapped item.
    else if (shape !== ITEM || isBlank(line) || !/^\s{2,}\S/.test(line.text)) break;
    end = next + 1;
  }
  const rows = starts.length - (introduced ? 1 : 0);
  if (rows < (shape === ITEM ? 1 : 2)) return null;
  if (introduced) starts.splice(1, 1);
  return span("items", lines, at, end, starts);
}

/** Recognises list items without markers, with their introducing line. */
function bareItems(lines: Line[], at: number): Taken | null {
  const introduced = /:\s*$/.test(lines[at]!.text);
  const first = introduced ? (isBlank(lines[at + 1]) ? at + 2 : at + 1) : at;
  let end = first;
  while (!isBlank(lines[end]) && !HEADING.test(lines[end]!.text) && !ITEM.test(lines[end]!.text)) end++;
  const own = lines.slice(first, end);
  if (!areBareItems(own.map(({ text }) => text))) return null;
  const starts = own.map(({ start }) => start);
  if (introduced) starts[0] = lines[at]!.start;
  const taken = span("items", lines, at, end, starts);
  return { ...taken, block: { ...taken.block, bare: true } };
}

export function bareItemStarts(text: string): ReadonlySet<number> {
  const starts = documentBlocks(text)
    .filter(({ bare }) => bare)
    .flatMap(({ start, items }) => items.map((item) => (item === start ? firstItem(text, start) : item)));
  return new Set(starts.map((start) => start + (/^\s*/.exec(text.slice(start, start + 40))?.[0].length ?? 0)));
}

function firstItem(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end > 0 && text.slice(start, end).trimEnd().endsWith(":") ? end + 1 : start;
}

function paragraph(lines: Line[], at: number): Taken {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && !HEADING.test(lines[end]!.text)) {
    const { text } = lines[end]!;
    if (ITEM.test(text) || QUESTION.test(text) || (ROW.test(text) && ROW.test(lines[end + 1]?.text ?? ""))) break;
    // «Нужно:» before a list belongs to the list.
    if (/:\s*$/.test(text) && ITEM.test(lines[end + 1]?.text ?? "")) break;
    end++;
  }
  return span("paragraph", lines, at, end);
}

/** Joins a short paragraph that is a question with the next block. */
function withAnswers(text: string, blocks: Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    if (
      before &&
      before.kind === "paragraph" &&
      (block.kind === "paragraph" || block.kind === "items") &&
      asks(text, before) &&
      !asks(text, block)
    ) {
      joined[joined.length - 1] = { ...before, kind: "question", end: block.end };
    } else joined.push(block);
  }
  return joined;
}

function asks(text: string, block: Block): boolean {
  const said = text.slice(block.start, block.end).trim();
  return said.length <= 200 && !said.includes("\n") && /\?[»"')*_]*$/.test(said);
}
