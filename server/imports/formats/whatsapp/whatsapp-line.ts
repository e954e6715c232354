// Reads one line of a WhatsApp export and decides whether it is a message header. The form depends on the phone's system and locale:
// «dd.mm.yyyy, hh:mm - Имя: текст» on Android, «[dd.mm.yyyy, hh:mm:ss] Имя: текст» on iOS.
import type { WallClockTime } from "#server/knowledge/messages/wall-clock-time.ts";

export type LineStyle = "bracket" | "dash";
export type DateOrder = "day-first" | "month-first";

/** Direction marks and the byte order mark, which WhatsApp writes before its own texts. */
const MARKS = "[\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]";
const DATE = "(\\d{1,4})([./-]) ?(\\d{1,2})\\2 ?(\\d{2,4})\\.?";
const GAP = ",?\\s+(?:(?:в|at|klo|um|à|às|o|om|alle|о)\\s+)?";
const TIME = "(\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2}))?(?:\\s?([AaPp]\\.?\\s?[Mm]\\.?|[ДдПп][Пп]))?";

const HEADS: Record<LineStyle, RegExp> = {
  bracket: new RegExp(`^${MARKS}*\\[${DATE}${GAP}${TIME}\\] ?(.*)$`, "s"),
  dash: new RegExp(`^${MARKS}*${DATE}${GAP}${TIME} [-–] ?(.*)$`, "s"),
};

const LEADING_MARKS = new RegExp(`^${MARKS}+`);
const ALL_MARKS = new RegExp(MARKS, "g");

export interface Head {
  /** The three numbers of the date as written; `yearFirst`: the first is the year. */
  date: [number, number, number];
  yearFirst: boolean;
  separator: string;
  hour: number;
  minute: number;
  second: number;
  twelveHours: boolean;
  /** The rest after the time: «Имя: текст», or a system message. */
  rest: string;
}

/** Parses a message header in this style; null when the line continues the previous message. */
export function parseHead(line: string, style: LineStyle): Head | null {
  const match = HEADS[style].exec(line);
  if (!match) return null;
  const [, first, separator, second, third, hours, minutes, seconds, half, rest] = match;
  let hour = Number(hours);
  if (half && hour <= 12) hour = (hour % 12) + (/^p|^пп/i.test(half) ? 12 : 0);
  const head: Head = {
    date: [Number(first), Number(second), Number(third)],
    yearFirst: first!.length === 4,
    separator: separator!,
    hour,
    minute: Number(minutes),
    second: Number(seconds ?? 0),
    twelveHours: half !== undefined,
    rest: rest!,
  };
  return dateOf(head, "day-first") ? head : null;
}

/** Returns the wall-clock time; null when neither order of day and month gives a date. */
export function dateOf(head: Head, order: DateOrder): WallClockTime | null {
  const [first, second, third] = head.date;
  let [year, month, day] = head.yearFirst
    ? [first, second, third]
    : order === "day-first"
      ? [third, second, first]
      : [third, first, second];
  // A number above 12 cannot be a month, whatever order was guessed.
  if (month > 12) [month, day] = [day, month];
  if (year < 100) year += 2000;
  if (month < 1 || month > 12 || day < 1 || day > 31 || head.hour > 23 || head.minute > 59 || head.second > 59)
    return null;
  return { year, month, day, hour: head.hour, minute: head.minute, second: head.second };
}

/** Decides which number is the day: by numbers above 12, else by the order of the dates, else by signs of the locale. */
export function guessDateOrder(heads: readonly Head[]): DateOrder {
  const plain = heads.filter((head) => !head.yearFirst);
  const dayFirst = plain.filter((head) => head.date[0] > 12).length;
  const monthFirst = plain.filter((head) => head.date[1] > 12).length;
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? "day-first" : "month-first";
  const backwards = { "day-first": stepsBack(plain, "day-first"), "month-first": stepsBack(plain, "month-first") };
  if (backwards["day-first"] !== backwards["month-first"]) {
    return backwards["day-first"] < backwards["month-first"] ? "day-first" : "month-first";
  }
  // Only American English writes 3/12/24 with AM and PM and a two-digit year.
  const american = plain.some((head) => head.separator === "/" && head.twelveHours && head.date[2] < 100);
  return american ? "month-first" : "day-first";
}

function stepsBack(heads: readonly Head[], order: DateOrder): number {
  let steps = 0;
  let last = 0;
  for (const head of heads) {
    const date = dateOf(head, order);
    if (!date) continue;
    const day = Date.UTC(date.year, date.month - 1, date.day);
    if (day < last) steps++;
    last = day;
  }
  return steps;
}

/** Returns the style of the first line that is a header in either style; null when there is none. */
export function guessStyle(lines: readonly string[]): LineStyle | null {
  for (const line of lines) {
    if (parseHead(line, "bracket")) return "bracket";
    if (parseHead(line, "dash")) return "dash";
  }
  return null;
}

const CUT_DATE = "\\d{1,4}([./-]) ?\\d{1,2}\\1 ?\\d{2,4}\\.?";
const CUT_TIME =
  "(?:,?\\s{0,3}(?:(?:в|at|klo|um|à|às)?\\s{0,3}\\d{1,2}(?:[:.]\\d{0,2}){0,2}(?:\\s?[APДП]?\\.?\\s?[MП]?\\.?)?)?)?";
const CUT_HEADS: Record<LineStyle, RegExp> = {
  bracket: new RegExp(`^\\[(?:[\\d./-]*|${CUT_DATE}${CUT_TIME})$`, "i"),
  dash: new RegExp(`^${CUT_DATE}${CUT_TIME}\\s?$`, "i"),
};

/** Returns whether the last line is an incomplete message header (on Android with at least a whole date): then the file was truncated. */
export function isCutHead(line: string, style: LineStyle): boolean {
  return CUT_HEADS[style].test(line.replace(LEADING_MARKS, ""));
}

interface Said {
  author: string;
  text: string;
}

const REPORTED = /создал|изменил|сменил|добавил|удалил|changed|created|added|removed|named/i;

/** Maximum characters of the part of a name behind a colon. */
const SECOND_PART = 60;

/**
 * Finds people and groups whose name contains a colon, such as «Авто: Борис». All messages of such a name begin with the same two parts; of a
 * text that WhatsApp writes in the group's name, a mark shows where the name ends.
 */
export function namesWithColon(rests: readonly string[]): string[] {
  const found = new Set<string>();
  const parts = new Map<string, Map<string, number>>();
  for (const rest of rests) {
    const [, marked] = /^([^\n]{1,120}?): \u200e/.exec(rest) ?? [];
    if (marked?.includes(": ")) found.add(plainName(marked));
    const [, first, second = ""] = /^([^:\n]{1,120}): (?:([^:\n]{1,60}): )?/.exec(rest) ?? [];
    if (first === undefined) continue;
    const seconds = parts.get(first) ?? new Map<string, number>();
    parts.set(first, seconds.set(second, (seconds.get(second) ?? 0) + 1));
  }
  for (const [first, seconds] of parts) {
    const [[second, count] = ["", 0]] = seconds;
    if (seconds.size === 1 && second !== "" && second.length <= SECOND_PART && count > 1) {
      found.add(plainName(`${first}: ${second}`));
    }
  }
  return [...found];
}

/** Removes direction marks, and the «~» that WhatsApp writes before people who are not among the owner's contacts. */
const plainName = (name: string): string => name.replace(ALL_MARKS, "").replace(/^~\s*/, "").trim();

/**
 * Splits «Имя: текст»; null for a system message.
 * @param colonNames as `namesWithColon` returns
 */
export function splitAuthor(rest: string, colonNames: readonly string[]): Said | null {
  for (const author of colonNames) {
    const at = rest.indexOf(`${author}: `);
    if (at >= 0 && plainName(rest.slice(0, at)) === "") return { author, text: rest.slice(at + author.length + 2) };
  }
  const match = /^([^:\n]{1,120}?):(?: |(?=[\u200e\n])|$)(.*)$/s.exec(rest);
  if (!match) return null;
  // «Иван изменил тему на «Обед: где»» has a colon too, but a name contains no such verb and quote.
  if (/[«"“]/.test(match[1]!) && REPORTED.test(match[1]!)) return null;
  const author = plainName(match[1]!);
  return author === "" ? null : { author, text: match[2]! };
}
