/** Finds dates: «12 июля», «12.07», «12.07.2026», «с 1 по 15 марта». */
import type { Quantity } from "./quantities.ts";

export interface StatedDate {
  at: number;
  end: number;
  day: number;
  /** Month number; 1 is January. */
  month: number;
  year: number | null;
  /** «12 июля» and «10.05.2026» can only be dates; «12.07» may be a number or a time. */
  sure: boolean;
}

const MONTHS = ["янв", "фев", "мар", "апр", "ма[йяе]", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"];
const MONTH = MONTHS.map((name) => new RegExp(`^${name}`, "iu"));
const NAMED =
  /^(?:-?го)?[ \u00a0](янв|фев|мар(?:т|\.)|апр|ма[йяе](?!\p{L})|июн|июл|авг|сен|окт|ноя|дек)\p{L}{0,6}\.?(?:[ \u00a0](\d{4})(?!\d)(?:\s?г(?:\.|од\p{L}{0,2})?)?)?/iu;
const WRITTEN = /(?<![\d.,:])(\d{1,2})[./](0[1-9]|1[0-2])(?:[./](\d{4}|\d{2}))?(?![\d.:]\d|\d)/g;
/** The month after a range belongs to both ends: «с 1 по 15 марта», «1–15 марта». */
const RANGE = /^\s{0,2}(?:[-–—]|по|до|и)\s{0,2}$/u;

export function datesIn(text: string, quantities: readonly Quantity[]): StatedDate[] {
  const written = [...text.matchAll(WRITTEN)].flatMap(({ 0: said, 1: day, 2: month, 3: year, index }): StatedDate[] =>
    Number(day) >= 1 && Number(day) <= 31
      ? [
          {
            at: index,
            end: index + said.length,
            day: Number(day),
            month: Number(month),
            year: fullYear(year),
            sure: year !== undefined,
          },
        ]
      : [],
  );
  const named: StatedDate[] = [];
  for (const [place, { at, end, value }] of quantities.entries()) {
    if (!Number.isInteger(value) || value < 1 || value > 31) continue;
    const behind = NAMED.exec(text.slice(end, end + 32));
    if (behind === null) continue;
    const month = MONTH.findIndex((pattern) => pattern.test(behind[1]!)) + 1;
    const year = fullYear(behind[2]);
    named.push({ at, end: end + behind[0].length, day: value, month, year, sure: true });
    const before = quantities[place - 1];
    if (before === undefined || before.unit !== null || before.value > 31 || !RANGE.test(text.slice(before.end, at)))
      continue;
    named.push({ at: before.at, end: before.end, day: before.value, month, year, sure: true });
  }
  return [...written, ...named];
}

const fullYear = (written: string | undefined): number | null =>
  written === undefined ? null : written.length === 2 ? 2000 + Number(written) : Number(written);

export const sameDate = (one: StatedDate, other: StatedDate): boolean =>
  one.day === other.day &&
  one.month === other.month &&
  (one.year === null || other.year === null || one.year === other.year);
