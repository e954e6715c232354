import { analyticsBarScale } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { LOCALE } from "#web/i18n/locale.ts";
import { plural } from "#web/i18n/plural.ts";

const oneDigit = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Shown for figures that were not measured. */
export const UNKNOWN = "—";

/** Formats 0..100 percent with one decimal («94,2%», «91,0%»), so that figures side by side align; the ends are «100%» and «0%». */
export const percentText = (value: number | null) =>
  value === null ? UNKNOWN : `${value === 0 || value === 100 ? value : oneDigit.format(value)}%`;

/** Formats a rating, such as «4,7» of 5.0. */
export const satisfactionText = (value: number | null) => (value === null ? UNKNOWN : oneDigit.format(value));

/** Describes the change since the previous period: in percent, in percentage points, or as the difference of ratings. */
export function changeText(
  now: number | null | undefined,
  was: number | null | undefined,
  as: "percent" | "points" | "rating",
): string | undefined {
  if (now === null || now === undefined || was === null || was === undefined || was === 0) return undefined;
  const change = as === "percent" ? Math.round(((now - was) / was) * 100) : Math.round((now - was) * 10) / 10;
  if (change === 0) return "столько же";
  const size = `${change > 0 ? "+" : "−"}${formatNumber(Math.abs(change))}`;
  if (as === "percent") return `${size}%`;
  return as === "points" ? `${size} п. п.` : size;
}

/** Length of a bar, 0..1. A full bar is the specified 250 interactions or more. */
export const barShare = (interactions: number) => Math.min(1, Math.max(0, interactions / analyticsBarScale));

export function testsText(all: number, tests: number): string {
  if (tests === 0) return "Без тестовых чатов";
  return tests >= all ? "Все в тестовых чатах" : `Из них в тестовых чатах ${formatNumber(tests)}`;
}

/** Describes the period in a sentence: how often the twins, or one twin, answered, compared with as many days before. */
export function periodText(days: number, now: number, before: number | undefined, ofOne = false): string {
  const period = plural(days, ["день", "дня", "дней"]);
  const times = plural(now, ["раз", "раза", "раз"]);
  const said = ofOne ? `За ${period} двойник ответил ${times}` : `За ${period} двойники ответили ${times}`;
  if (!before) return said;
  const change = Math.round(((now - before) / before) * 100);
  const size = `${formatNumber(Math.abs(change))}%`;
  if (change > 0) return `${said}, на ${size} больше, чем за ${period} до того`;
  if (change < 0) return `${said}, на ${size} меньше, чем за ${period} до того`;
  return `${said}, столько же, сколько за ${period} до того`;
}

const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", weekday: "short", timeZone: "UTC" });

/** Formats YYYY-MM-DD as «пт, 21 нояб.»; other texts are returned unchanged. */
export function dayText(date: string): string {
  const moment = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(moment) ? date : day.format(moment);
}

const wholeDay = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long", weekday: "long", timeZone: "UTC" });

/** Formats YYYY-MM-DD for the start of a sentence: «Пятница, 21 ноября». */
export function dayInHeading(date: string): string {
  const moment = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(moment)) return date;
  const text = wholeDay.format(moment);
  return text.charAt(0).toLocaleUpperCase(LOCALE) + text.slice(1);
}
