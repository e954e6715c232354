import { memoize } from "./memoize.ts";

/** Styles by which answers name days and times; all Russian but `iso`. */
const STYLES = {
  /** понедельник, 23 ноября 2026 г. */
  full: ["ru-RU", { dateStyle: "full" }],
  /** 23 ноября 2026 г. */
  long: ["ru-RU", { dateStyle: "long" }],
  /** 23 ноября 2026 г. в 14:05 */
  "long-with-time": ["ru-RU", { dateStyle: "long", timeStyle: "short" }],
  /** понедельник, 23 ноября */
  weekday: ["ru-RU", { weekday: "long", day: "numeric", month: "long" }],
  /** пн, 23 ноября */
  "short-weekday": ["ru-RU", { weekday: "short", day: "numeric", month: "long" }],
  /** 14:05 */
  time: ["ru-RU", { timeStyle: "short" }],
  /** 2026-11-23 */
  iso: ["en-CA", {}],
} as const satisfies Record<string, readonly [string, Intl.DateTimeFormatOptions]>;

export type DateStyle = keyof typeof STYLES;

/** Memoised, because creating a formatter costs a hundred times as much as using it. */
const formatOf = memoize(200, (name) => {
  const at = name.indexOf(" ");
  const [locale, options] = STYLES[name.slice(0, at) as DateStyle];
  const timeZone = name.slice(at + 1);
  return new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === "" ? {} : { timeZone }) });
});

/**
 * @param timeZone IANA name; "" is the server's own
 * @throws RangeError for an unknown time zone
 */
export const formatDate = (date: Date, style: DateStyle, timeZone: string): string =>
  formatOf(`${style} ${timeZone}`).format(date);
