/** Finds days of the week, months and words like «завтра» in a text, in any form or abbreviation. */
import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";

const DAYS: readonly RegExp[] = [
  /^(?:пн|понедельник\p{L}{0,3}|mondays?|mon)$/u,
  /^(?:вт|вторник\p{L}{0,3}|tuesdays?|tue)$/u,
  /^(?:ср|сред(?:а|е|у|ы|ой|ам)|wednesdays?|wed)$/u,
  /^(?:чт|четверг\p{L}{0,3}|thursdays?|thu)$/u,
  /^(?:пт|пятниц\p{L}{1,3}|fridays?|fri)$/u,
  /^(?:сб|суббот\p{L}{1,3}|saturdays?|sat)$/u,
  /^(?:вс|воскресен\p{L}{1,4}|sundays?|sun)$/u,
];
const MONTHS: readonly RegExp[] = [
  /^(?:январ\p{L}{1,3}|january)$/u,
  /^(?:феврал\p{L}{1,3}|february)$/u,
  /^(?:март(?:а|е|у|ом)?)$/u,
  /^(?:апрел\p{L}{1,3}|april)$/u,
  /^(?:ма[йяею]|маем)$/u,
  /^(?:июн\p{L}{1,2}|june)$/u,
  /^(?:июл\p{L}{1,2}|july)$/u,
  /^(?:август\p{L}{0,2}|august)$/u,
  /^(?:сентябр\p{L}{1,2}|september)$/u,
  /^(?:октябр\p{L}{1,2}|october)$/u,
  /^(?:ноябр\p{L}{1,2}|november)$/u,
  /^(?:декабр\p{L}{1,2}|december)$/u,
];
const RELATIVE = /^(?:сегодня|завтра|послезавтра|вчера|позавчера|today|tomorrow|yesterday|tonight)$/u;
const WHOLE_WEEK =
  /ежедневн|каждый день|без выходных|круглосуточн|24\/7|всю неделю|семь дней|7 дней в неделю|every day|daily/u;
const WORKDAYS = /будн|рабочи[ей] дн|weekday/u;
const WEEKEND = /выходны[еам]|weekend/u;
/** Joins the ends of a range: «пн–пт», «с понедельника по пятницу», «вторник - суббота». */
const BETWEEN = /^\s{0,2}(?:[-–—]|по|до)\s{0,2}$/u;

export interface NamedDays {
  /** Days of the week: 0 is Monday, 6 is Sunday. */
  week: Set<number>;
  /** Months: 0 is January. */
  months: Set<number>;
  relative: Set<string>;
}

/** Memoised, because texts repeat their words. Numbers are indexes in the lists; −1: none. */
const readWord = memoize(
  MB,
  (word) => {
    const relative = RELATIVE.test(word);
    const month = MONTHS.findIndex((pattern) => pattern.test(word));
    const day = DAYS.findIndex((pattern) => pattern.test(word));
    return relative || month >= 0 || day >= 0 ? { relative, month, day } : NO_DAY;
  },
  estimateTextBytes,
);
const NO_DAY = { relative: false, month: -1, day: -1 };

/** @param spread expands ranges like «пн–пт» and «ежедневно» to all their days: for sources, not for claims */
export function daysIn(text: string, spread = false): NamedDays {
  const plain = text.toLowerCase().replaceAll("ё", "е");
  const named: NamedDays = { week: new Set(), months: new Set(), relative: new Set() };
  let before: { day: number; end: number } | null = null;
  for (const { 0: word, index } of plain.matchAll(/\p{L}+/gu)) {
    const { relative, month, day } = readWord(word);
    if (relative) named.relative.add(word);
    if (month >= 0) named.months.add(month);
    if (day < 0) continue;
    named.week.add(day);
    if (spread && before !== null && BETWEEN.test(plain.slice(before.end, index))) {
      const first: number = before.day;
      for (let at = first; at !== day; at = (at + 1) % 7) named.week.add(at);
    }
    before = { day, end: index + word.length };
  }
  if (!spread) return named;
  const all = (days: readonly number[]) => {
    for (const day of days) named.week.add(day);
  };
  if (WHOLE_WEEK.test(plain)) all([0, 1, 2, 3, 4, 5, 6]);
  if (WORKDAYS.test(plain)) all([0, 1, 2, 3, 4]);
  if (WEEKEND.test(plain)) all([5, 6]);
  for (const { 0: date } of plain.matchAll(/(?<!\d)\d{1,2}\.(?:0\d|1[0-2])(?:\.\d{2,4})?(?!\d)/g))
    named.months.add(Number(date.split(".")[1]) - 1);
  // As systems write it; its day of the week is said with it.
  for (const { 1: year, 2: month, 3: day } of plain.matchAll(/(?<!\d)(20\d{2})-(0[1-9]|1[0-2])-([0-3]\d)(?!\d)/g)) {
    named.months.add(Number(month) - 1);
    named.week.add((new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay() + 6) % 7);
  }
  return named;
}
