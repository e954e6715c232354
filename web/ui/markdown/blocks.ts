/** Splits Markdown into blocks. Text that is no other block becomes a paragraph unchanged. The time is linear in the length of the text. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "list"; ordered: boolean; start: number; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "paragraph" | "quote" | "code"; text: string }
  | { kind: "rule" };

const HEADING = /^ {0,3}(#{1,6})[ \t]+(?=\S)/;
const ITEM = /^[ \t]{0,8}(?:[-*+•]|(\d{1,6})[.)])[ \t]+(?=\S)/;
const QUOTE = /^ {0,3}> ?/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/;
const FENCE = /^ {0,3}(?:```|~~~)/;

export function blocksOf(text: string): Block[] {
  const lines = text.split(/\r?\n/);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const { block, next } = blockAt(lines, at);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number): { block: Block | null; next: number } {
  const line = lines[at]!;
  if (line.trim() === "") return { block: null, next: at + 1 };
  const heading = HEADING.exec(line);
  if (heading) {
    const text = line.slice(heading[0].length).trimEnd();
    return { block: { kind: "heading", level: heading[1]!.length, text }, next: at + 1 };
  }
  if (RULE.test(line)) return { block: { kind: "rule" }, next: at + 1 };
  if (FENCE.test(line)) {
    const end = endOf(lines, at + 1, (one) => !FENCE.test(one));
    return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
  }
  if (QUOTE.test(line)) {
    const end = endOf(lines, at, (one) => QUOTE.test(one));
    const text = lines.slice(at, end).map((one) => one.replace(QUOTE, ""));
    return { block: { kind: "quote", text: text.join("\n") }, next: end };
  }
  const item = ITEM.exec(line);
  if (item) return listAt(lines, at, item[1]);
  if (beginsTable(lines, at)) {
    const end = endOf(lines, at + 2, (one) => one.includes("|"));
    const rows = lines.slice(at + 2, end).map(cellsOf);
    return { block: { kind: "table", head: cellsOf(line), rows }, next: end };
  }
  const end = endOf(lines, at + 1, (one, place) => one.trim() !== "" && !begins(one) && !beginsTable(lines, place));
  return { block: { kind: "paragraph", text: lines.slice(at, end).join("\n") }, next: end };
}

/** An item continues in the following lines until one begins another block. */
function listAt(lines: readonly string[], at: number, number: string | undefined): { block: Block; next: number } {
  const ordered = number !== undefined;
  const items: string[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next]!;
    const item = ITEM.exec(line);
    if (item && (item[1] !== undefined) === ordered) items.push(line.slice(item[0].length));
    else if (line.trim() === "" || begins(line) || beginsTable(lines, next)) break;
    else items.push(`${items.pop()}\n${line.trim()}`);
  }
  return { block: { kind: "list", ordered, start: Number(number ?? 1), items }, next };
}

function endOf(lines: readonly string[], from: number, goesOn: (line: string, place: number) => boolean): number {
  let end = from;
  while (end < lines.length && goesOn(lines[end]!, end)) end++;
  return end;
}

const begins = (line: string) => [HEADING, ITEM, QUOTE, RULE, FENCE].some((mark) => mark.test(line));

/** A table begins with a line of cells followed by a line of as many dashes. */
function beginsTable(lines: readonly string[], at: number): boolean {
  const below = lines[at + 1];
  if (below === undefined || !lines[at]!.includes("|") || !below.includes("--")) return false;
  return !/[^\s|:-]/.test(below) && cellsOf(below).length === cellsOf(lines[at]!).length;
}

function cellsOf(line: string): string[] {
  const cells = line.trim().split("|");
  if (cells[0] === "") cells.shift();
  if (cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) => cell.trim());
}
