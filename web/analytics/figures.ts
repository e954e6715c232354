import { analyticsBarScale } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";

const oneDigit = new Intl.NumberFormat("ru-RU", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** What nobody measured. */
export const UNKNOWN = "—";

/** Percent 0..100 as «94,2%». */
export const percentText = (value: number | null) =>
  value === null ? UNKNOWN : `${formatNumber(Math.round(value * 10) / 10)}%`;

/** «4,7» of 5.0. */
export const satisfactionText = (value: number | null) => (value === null ? UNKNOWN : oneDigit.format(value));

/** A bar's length, 0..1: what is beyond the scale fills it. */
export const barShare = (interactions: number) => Math.min(1, Math.max(0, interactions / analyticsBarScale));

const day = new Intl.DateTimeFormat("ru-RU", { day: "numeric", month: "short", weekday: "short", timeZone: "UTC" });

/** YYYY-MM-DD as «пт, 21 нояб.»; a date of another form stays as it is. */
export function dayText(date: string): string {
  const moment = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(moment) ? date : day.format(moment);
}
