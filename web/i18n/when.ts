import { formatDate, formatRecent, formatShortDate, formatTime } from "#web/i18n/format.ts";
import { LOCALE } from "./locale.ts";

const isToday = (at: Date) => at.toDateString() === new Date().toDateString();
const isThisYear = (at: Date) => at.getFullYear() === new Date().getFullYear();
function isYesterday(at: Date): boolean {
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  return at.toDateString() === yesterday.toDateString();
}

const dayOfThisYear = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short" });

/** Formats for rows of a list: «10:01» today, «вчера», «20 нояб.», in another year «20.11.2025». */
export function formatWhen(value: string): string {
  const at = new Date(value);
  if (isToday(at)) return formatTime(value);
  if (isYesterday(at)) return "вчера";
  return isThisYear(at) ? dayOfThisYear.format(at).replace(" ", "\u00a0") : formatShortDate(value);
}

/** Formats as «10:01» today, otherwise «20 ноября в 10:01». */
export function formatMessageTime(value: string): string {
  return isToday(new Date(value)) ? formatTime(value) : formatRecent(value);
}

const dayOfYear = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long" });

/** Formats the day between messages: «Сегодня», «Вчера», «20 ноября», in another year «20 ноября 2025 г.». */
export function formatDay(value: string): string {
  const at = new Date(value);
  if (isToday(at)) return "Сегодня";
  if (isYesterday(at)) return "Вчера";
  return isThisYear(at) ? dayOfYear.format(at) : formatDate(value);
}
