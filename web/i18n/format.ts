import { LOCALE } from "./locale.ts";

// Formatters are costly to build, so each is built once.
const number = new Intl.NumberFormat(LOCALE);
const percent = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 0 });
const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long", year: "numeric" });
const shortDay = new Intl.DateTimeFormat(LOCALE);
const moment = new Intl.DateTimeFormat(LOCALE, {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const recent = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit" });

type Instant = string | number | Date;

export const formatNumber = (value: number) => number.format(value);
/** Formats a share 0..1 in percent without the space of «91 %», as the whole product does. */
export const formatShare = (value: number) => percent.format(value).replace(/\s/g, "");
/** Shown for an invalid date, which must not break the screen. */
const NO_DATE = "—";

function written(format: Intl.DateTimeFormat, value: Instant): string {
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? NO_DATE : format.format(instant);
}

/** «20 ноября 2025 г.» */
export const formatDate = (value: Instant) => written(day, value);
/** «20.11.2025» */
export const formatShortDate = (value: Instant) => written(shortDay, value);
/** «20 ноября 2025 г. в 10:01» */
export const formatMoment = (value: Instant) => keepTogether(written(moment, value));
/** «20 ноября в 10:01» on one line, for recent events */
export const formatRecent = (value: Instant) => written(recent, value).replaceAll(" ", "\u00a0");
/** «10:01» */
export const formatTime = (value: Instant) => written(clock, value);

/** Prevents a line break between the preposition and the time. */
const keepTogether = (text: string) => text.replace(/ (?=\d+:)/, "\u00a0");
