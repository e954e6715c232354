import { analyticsBarScale } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { LOCALE } from "#web/i18n/locale.ts";

const oneDigit = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Shown for figures that were not measured. */
export const UNKNOWN = "—";

/** Percent 0..100 as «94,2%». */
export const percentText = (value: number | null) =>
  value === null ? UNKNOWN : `${formatNumber(Math.round(value * 10) / 10)}%`;

/** «4,7» of 5.0. */
export const satisfactionText = (value: number | null) => (value === null ? UNKNOWN : oneDigit.format(value));

/** Length of a bar, 0..1; values beyond the scale give 1. */
export const barShare = (interactions: number) => Math.min(1, Math.max(0, interactions / analyticsBarScale));

const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", weekday: "short", timeZone: "UTC" });

/** Formats YYYY-MM-DD as «пт, 21 нояб.»; other texts are returned unchanged. */
export function dayText(date: string): string {
  const moment = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(moment) ? date : day.format(moment);
}
