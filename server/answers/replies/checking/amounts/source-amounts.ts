/** Extracts the amounts of one source with the context of each: list headings, table columns, record fields. */
import { isHeaderRule, tableCells } from "#server/knowledge/documents/table-row.ts";
import { FIELD, LIST_MARK } from "#server/knowledge/language/list-lines.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { unitNamed } from "#server/knowledge/language/statements/units.ts";
import { amountsIn, type StatedAmount } from "./stated-amounts.ts";
import { rolesIn, type Tokens, tokensOf } from "./tokens.ts";

export interface SourceAmount extends StatedAmount {
  /** The same object for all amounts of a sentence, which separates one sentence's amounts from another's. */
  sentence: object;
  /** Title of the text, or the question that it answers. */
  about: Tokens;
  /** Unit named by the column or heading, in lower case; null: none. */
  headed: string | null;
}

/** @param about title of the text, or the question that it answers */
export function sourceAmountsIn(text: string, about: string): SourceAmount[] {
  const found: SourceAmount[] = [];
  const topic = tokensOf(about, true);
  const add = (amounts: readonly (StatedAmount & { headed?: string | null })[]) => {
    if (found.length >= MOST_AMOUNTS) return;
    const sentence = {};
    for (const amount of amounts.slice(0, MOST_AMOUNTS - found.length))
      found.push({ ...amount, headed: amount.headed ?? null, sentence, about: topic });
  };
  let title = "";
  // Documents are read in chunks, so a longer text is none of them.
  const read = text.slice(0, LONGEST_TEXT);
  for (const block of read.split(/\n\s*\n/)) {
    const lines = block.split("\n");
    if (lines.filter((line) => tableCells(line) !== null).length > 1) readTable(lines, title, add);
    else if (lines.filter((line) => FIELD.test(line)).length > 1 && lines.every((line) => FIELD.test(line)))
      readRecord(lines, add);
    else readProse(block, add);
    title = lines.length === 1 && block.length <= LONGEST_TITLE ? block : "";
  }
  return found;
}

/** Maximum length in characters; a chunk of a document has about 1,500. */
const LONGEST_TEXT = 6000;
const MOST_AMOUNTS = 200;
/** Maximum length of a line that is the title of what follows. */
const LONGEST_TITLE = 80;

type Add = (amounts: readonly (StatedAmount & { headed?: string | null })[]) => void;

function readProse(block: string, add: Add): void {
  let heading = "";
  let before = "";
  for (const sentence of splitSentences(block)) {
    const item = LIST_MARK.test(sentence);
    if (!item && heading !== "" && before !== heading) heading = "";
    const amounts = amountsIn(sentence.replace(LIST_MARK, ""), { source: true, lead: heading });
    // A sentence without a subject takes the previous one's: «Доставим завтра. Это 300 рублей».
    const bare = amounts.length > 0 && amounts.every(({ local, lead }) => local.size === 0 && lead.size === 0);
    add(bare ? amountsIn(sentence, { source: true, lead: before }) : amounts);
    if (/:\s*$/.test(sentence)) heading = sentence;
    before = sentence;
  }
}

/** Fields of a record are read together: «Название: кружка», «Цена: 220». */
function readRecord(lines: readonly string[], add: Add): void {
  const fields = lines.map((line) => ({
    name: line.slice(0, line.indexOf(":")),
    value: line.slice(line.indexOf(":") + 1),
  }));
  const record = fields.map(({ value }) => value).join("\n");
  const priced = fields.some(({ name }) => NAMES_PRICE.test(name));
  const amounts = fields.flatMap(({ name, value }) => {
    const local = tokensOf(name, true);
    const ofName = amountsIn(name, { source: true, lead: record }).map((one) => ({
      ...one,
      mayBePrice: false,
      headed: null,
    }));
    const ofValue = amountsIn(value, { source: true, lead: record }).map((one) => ({
      ...one,
      local: new Set([...one.local, ...local]),
      roles: one.roles.size > 0 ? one.roles : rolesIn(name),
      mayBePrice: one.mayBePrice && (!priced || NAMES_PRICE.test(name)),
      headed: unitIn(name),
    }));
    return [...ofName, ...ofValue];
  });
  add(amounts);
}

const NAMES_PRICE = /(?:цен|стоимост|прайс|тариф|руб|₽|сумм|оплат|price|cost)/iu;

function unitIn(heading: string): string | null {
  for (const [word] of heading.toLowerCase().matchAll(/\p{L}+[²³]?|[%₽$€]/gu))
    if (unitNamed(word) !== null) return word;
  return null;
}

function readTable(lines: readonly string[], before: string, add: Add): void {
  let columns: readonly string[] = [];
  let title = before;
  for (const [at, line] of lines.entries()) {
    const cells = tableCells(line);
    if (cells === null) {
      readProse(line, add);
      title = line;
    } else if (isHeaderRule(line)) continue;
    else if (lines[at + 1] !== undefined && isHeaderRule(lines[at + 1]!)) columns = cells;
    else readRow(cells, { columns, title }, add);
  }
}

/** The first cell is the row's subject; the column heading describes each amount. */
function readRow(
  cells: readonly string[],
  { columns, title }: { columns: readonly string[]; title: string },
  add: Add,
): void {
  const priced = columns.some((column) => NAMES_PRICE.test(column));
  const label = cells[0] ?? "";
  const ofRow = amountsIn(label, { source: true, lead: [title, ...columns, ...cells.slice(1)].join("\n") });
  const labelled = [...tokensOf(label, true), ...ofRow.map(({ company }) => company)];
  add(ofRow.map((one) => ({ ...one, mayBePrice: false })));
  for (const [place, cell] of cells.slice(1).entries()) {
    const column = columns[place + 1] ?? "";
    const named = [...tokensOf(column, true), ...companionsOf(column)];
    const others = cells.filter((other, at) => at !== place + 1 && at > 0 && !/\d/.test(other));
    const lead = [title, label, ...others].join("\n");
    // The column heading may hold a quantity: «за 100 г».
    const headings = amountsIn(column, { source: true, lead }).map((one) => ({ ...one, mayBePrice: false }));
    const amounts = amountsIn(cell, { source: true, lead }).map((one) => ({
      ...one,
      local: new Set([...one.local, ...named, ...labelled]),
      mayBePrice: one.mayBePrice && (!priced || NAMES_PRICE.test(column)),
      headed: unitIn(column),
    }));
    add([...headings, ...amounts]);
  }
}

const companionsOf = (label: string): string[] => amountsIn(label, { source: true }).map(({ company }) => company);
