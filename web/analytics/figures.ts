import { analyticsBarScale } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { LOCALE } from "#web/i18n/locale.ts";

const oneDigit = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Shown for figures that were not measured. */
export const UNKNOWN = "—";

/** Percent 0..100 as «94,2%», «91,0%»: figures that stand beside each other have the same digits; all is «100%», nothing «0%». */
export const percentText = (value: number | null) =>
  value === null ? UNKNOWN : `${value === 0 || value === 100 ? value : oneDigit.format(value)}%`;

/** «4,7» of 5.0. */
export const satisfactionText = (value: number | null) => (value === null ? UNKNOWN : oneDigit.format(value));

/** A change since the former period: in percent of what was, in points of a percentage, or as the difference of ratings. */
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

/** Length of a bar, 0..1; values beyond the scale give 1. */
export const barShare = (interactions: number) => Math.min(1, Math.max(0, interactions / analyticsBarScale));

const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", weekday: "short", timeZone: "UTC" });

/** Formats YYYY-MM-DD as «пт, 21 нояб.»; other texts are returned unchanged. */
export function dayText(date: string): string {
  const moment = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(moment) ? date : day.format(moment);
}
