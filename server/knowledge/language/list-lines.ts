/** Decides whether a line of plain text is a list item, with or without a marker, or continues the previous line. */

import { memoizeByObject } from "#server/platform/text/memoize.ts";

const MARK = String.raw`(?:[•▪◦‣·][ \t]{0,9}|[-–—*][ \t]{1,9}|\d{1,3}\.[ \t]{1,9}|\d{1,3}\)[ \t]{0,9}|[a-zа-яё]\)[ \t]{1,9})`;
/** Markers «- », «•», «1. », «1)», «а) » at the start of a line. */
export const LIST_MARK = new RegExp(String.raw`^\s{0,20}${MARK}(?=\S)`, "iu");

/** A record's field: «Цена: 220». */
export const FIELD = /^[\p{L}\p{N}][^:\n]{0,59}: \S/u;
/** End of a complete line. Closing quotes and bold marks may follow. */
const LINE_END = /[.!?…:;][»”"')\]*_]*$/;

/** Function words that never end a sentence. */
const UNFINISHED =
  /(?:,|[-–—]|(?<!\p{L})(?:и|или|либо|а|но|что|чтобы|как|если|когда|где|не|ни|в|во|на|с|со|к|ко|у|о|об|от|до|из|за|по|под|над|при|про|без|для|через|между|около|после|перед|котор\p{L}{2,3}))$/iu;
const AMOUNT_LAST = /\d\s{0,2}(?:₽|%|р\.?|руб\p{L}{0,3}\.?|\p{L}{1,3})?$/iu;
/** Minimum line width, in characters, of text that may be wrapped at a fixed width. */
const WIDTH = { few: 45, many: 30 } as const;
const MANY = 4;

/**
 * Whether the line break after `lines[at]` is within a sentence. Wrapped text has no line into which the next word would have fitted,
 * whereas lines of a list end wherever an entry ends.
 * @param lines of one block, without blank ones
 */
export function continuesOnNextLine(lines: readonly string[], at: number): boolean {
  const [line, next] = [lines[at]!.trimEnd(), lines[at + 1]];
  if (next === undefined || LINE_END.test(line) || LIST_MARK.test(next) || !/^\s*\p{Ll}/u.test(next)) return false;
  if (FIELD.test(line) && FIELD.test(next)) return true;
  // A line without letters or digits, such as «```».
  if (!/[\p{L}\p{N}]/u.test(line) || UNFINISHED.test(line.slice(-24))) return true;
  // An indented line continues a wrapped item.
  if (/^\s{2,}/.test(next) && !/^\s{2,}/.test(line)) return true;
  return isWrapped(lines);
}

const isWrapped = memoizeByObject(fillsItsWidth);

function fillsItsWidth(lines: readonly string[]): boolean {
  const open = lines.flatMap((line, at) => {
    const next = lines[at + 1];
    return next === undefined || LINE_END.test(line.trimEnd()) || LIST_MARK.test(next)
      ? []
      : [{ line: line.trimEnd(), next }];
  });
  if (open.length === 0) return false;
  const width = Math.max(...lines.map((line) => line.trimEnd().length));
  if (width < (open.length >= MANY ? WIDTH.many : WIDTH.few)) return false;
  if (open.filter(({ line }) => AMOUNT_LAST.test(line)).length * 2 > open.length) return false;
  return open.every(({ line, next }) => line.length + 1 + (/\S+/.exec(next)?.[0].length ?? 0) > width);
}

/** Whether all lines are list items without markers: short, without a final mark, and not continued. */
export const areBareItems = (lines: readonly string[]): boolean =>
  lines.length >= 2 &&
  lines.every(
    (line, at) => line.length <= LONGEST_ITEM && !LINE_END.test(line.trimEnd()) && !continuesOnNextLine(lines, at),
  );

const LONGEST_ITEM = 120;
