import { formatDate, formatRecent, formatShortDate, formatTime } from "#web/i18n/format.ts";
import { LOCALE } from "./locale.ts";

const isToday = (at: Date) => at.toDateString() === new Date().toDateString();

/** «10:01» today, else «20.11.2025»: for rows of a list. */
export function formatWhen(value: string): string {
  return isToday(new Date(value)) ? formatTime(value) : formatShortDate(value);
}

/** «10:01» today, else «20 ноября в 10:01». */
export function formatMessageTime(value: string): string {
  return isToday(new Date(value)) ? formatTime(value) : formatRecent(value);
}

const dayOfYear = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long" });

/** «Сегодня», «Вчера», «20 ноября», in another year «20 ноября 2025 г.»: between the messages of two days. */
export function formatDay(value: string): string {
  const at = new Date(value);
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  if (isToday(at)) return "Сегодня";
  if (at.toDateString() === yesterday.toDateString()) return "Вчера";
  return at.getFullYear() === yesterday.getFullYear() ? dayOfYear.format(at) : formatDate(value);
}
