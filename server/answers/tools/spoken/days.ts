/** Days as people say them: «5 декабря», «до двадцатого», «с 15го по 25», «в след. вторник», «через неделю». */
import { datesIn } from "#server/knowledge/language/statements/dates.ts";
import { meaningsOf } from "#server/knowledge/language/statements/numerals.ts";
import { type Quantity, quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";

const DAY_MS = 86_400_000;
const WEEK = [
  /^(?:воскресень|вс$)/u,
  /^(?:понедельник|пн$)/u,
  /^(?:вторник|вт$)/u,
  /^(?:сред[аыуе]$|средой$|ср$)/u,
  /^(?:четверг|чт$)/u,
  /^(?:пятниц|пт$)/u,
  /^(?:суббот|сб$)/u,
];
const NEAR = new Map([
  ["позавчера", [-2]],
  ["вчера", [-1]],
  ["сегодня", [0]],
  ["завтра", [1]],
  ["послезавтра", [2]],
  ["today", [0]],
  ["tomorrow", [1]],
]);
const NEXT = /^след/u;
const LAST = /^(?:прошл|прошедш|минувш)/u;
const WEEKENDS = /^выходн/u;
const WORD = /\p{L}+/gu;
const TOKEN = /\p{L}+|\d+/gu;
const LONGEST_NUMBER = 20;
/** No numeral in other texts, where it seldom counts. */
const FIRST = /^перв(?:ое|ого|ому)$/u;
const ISO = /(?<!\d)20\d{2}-\d{2}-\d{2}(?!\d)/g;
/** A number behind one of these may be a day: «с 15», «до 20», «на пятое», «числа 10». */
const BEFORE_DAY = /(?:^|[^\p{L}])(?:с|со|по|до|на|к|ко|от|числа|число)\s{1,2}$/u;
const BEHIND_DAY = /^(?:\s?-?\s?(?:го|е|ое|ого|му)(?!\p{L})|\s{1,2}чис(?:ла|ло|лу)(?!\p{L}))/u;
const ORDINAL = /(?:ого|ьего|ое|ье|ому|ьему)$/u;
const AFTER =
  /(?:^|[^\p{L}])через\s{1,2}(?:\d{1,3}|\p{L}{3,20})?\s{0,2}(день|дня|дней|недел[юиь]|месяц(?:а|ев)?)(?!\p{L})/gu;
const IN_UNITS: readonly [RegExp, number][] = [
  [/^д/u, 1],
  [/^н/u, 7],
];

/**
 * @param text in lower case, without «ё»
 * @param today ISO date where the text was written
 * @returns ISO dates that the text can mean; a day without a month is the nearest one behind and ahead
 */
export function daysSaid(text: string, today: string): Set<string> {
  const now = Date.parse(today);
  const said = new Set<string>();
  const add = (ahead: number) => said.add(isoOf(now + ahead * DAY_MS));
  for (const [iso] of text.matchAll(ISO)) said.add(iso);
  const quantities = quantitiesIn(text);
  for (const { day, month, year } of datesIn(text, quantities)) {
    const here = new Date(now).getUTCFullYear();
    const years = year === null ? [here - 1, here, here + 1] : [year];
    const days = years.flatMap((each) => dateOf(each, month, day) ?? []);
    for (const iso of year === null ? nearest(days, today) : days) said.add(iso);
  }
  for (const number of dayNumbersIn(text))
    if (isDay(text, number)) for (const iso of nearest(monthDays(now, number.value), today)) said.add(iso);
  const words = [...text.matchAll(WORD)].map(([word]) => word);
  for (const [place, word] of words.entries()) {
    for (const ahead of NEAR.get(word) ?? []) add(ahead);
    const weekday = WEEK.findIndex((pattern) => pattern.test(word));
    if (weekday >= 0)
      for (const ahead of daysAhead(now, weekday, words.slice(Math.max(0, place - 3), place + 5))) add(ahead);
    if (WEEKENDS.test(word)) for (const day of [6, 0]) for (const ahead of daysAhead(now, day, [])) add(ahead);
  }
  for (const found of text.matchAll(AFTER)) for (const iso of daysAfter(found, quantities, now)) said.add(iso);
  return said;
}

const isoOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

function dateOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null;
}

/** The last one before today, and the first one from today on. */
function nearest(days: readonly string[], today: string): string[] {
  const sorted = days.toSorted();
  return [sorted.findLast((day) => day < today), sorted.find((day) => day >= today)].flatMap((day) => day ?? []);
}

interface DayNumber {
  value: number;
  /** `text.slice(at, end)` */
  at: number;
  end: number;
  isOrdinal: boolean;
}

/** Numbers from 1 to 31, in digits or words: «15», «пятого», «тридцать первое». */
function dayNumbersIn(text: string): DayNumber[] {
  const found: DayNumber[] = [];
  let tens: DayNumber | null = null;
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    const isWritten = /^\d/.test(token);
    const value = isWritten ? Number(token) : FIRST.test(token) ? 1 : meaningsOf(token).numeral;
    const joined = tens !== null && !isWritten && value !== null && value < 10 ? tens : null;
    tens = null;
    if (value === null || !Number.isInteger(value) || token.length > LONGEST_NUMBER) continue;
    const number = { value, at, end: at + token.length, isOrdinal: !isWritten && ORDINAL.test(token) };
    if (joined !== null) Object.assign(joined, { ...number, value: joined.value + value, at: joined.at });
    else if (value >= 1 && value <= 31) found.push(number);
    if (!isWritten && (value === 20 || value === 30)) tens = found.at(-1)!;
  }
  return found.filter((number) => number.value <= 31);
}

function isDay(text: string, { at, end, isOrdinal }: DayNumber): boolean {
  if (isOrdinal || BEHIND_DAY.test(text.slice(end, end + 10))) return true;
  return BEFORE_DAY.test(text.slice(Math.max(0, at - 10), at)) && !/^[.:]\d/.test(text.slice(end, end + 2));
}

/** This day of the months around. */
function monthDays(now: number, day: number): string[] {
  const date = new Date(now);
  return [-2, -1, 0, 1, 2].flatMap((months) => {
    const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
    return dateOf(month.getUTCFullYear(), month.getUTCMonth() + 1, day) ?? [];
  });
}

/** Days until this day of the week: within a week, or in the next one where that is said. */
function daysAhead(now: number, weekday: number, before: readonly string[]): number[] {
  const ahead = (weekday - new Date(now).getUTCDay() + 7) % 7;
  if (before.some((word) => LAST.test(word))) return [ahead - 7];
  return before.some((word) => NEXT.test(word)) ? [ahead, ahead + 7] : [ahead];
}

/** «через три дня», «через неделю», «через 2 месяца». */
function daysAfter(found: RegExpExecArray, quantities: readonly Quantity[], now: number): string[] {
  const [text, unit] = [found[0], found[1]!];
  const end = found.index + text.length;
  const number = quantities.find(({ at }) => at > found.index && at < end)?.value ?? 1;
  const days = IN_UNITS.find(([pattern]) => pattern.test(unit))?.[1];
  // «через день» is the day after tomorrow, too.
  if (days !== undefined)
    return [number, ...(unit === "день" && number === 1 ? [2] : [])].map((count) => isoOf(now + count * days * DAY_MS));
  const date = new Date(now);
  return [isoOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + number, date.getUTCDate()))];
}
