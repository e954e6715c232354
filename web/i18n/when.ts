import { formatRecent, formatShortDate, formatTime } from "#web/i18n/format.ts";

const isToday = (at: Date) => at.toDateString() === new Date().toDateString();

/** «10:01» today, else «20.11.2025»: for rows of a list. */
export function formatWhen(value: string): string {
  return isToday(new Date(value)) ? formatTime(value) : formatShortDate(value);
}

/** «10:01» today, else «20 ноября в 10:01». */
export function formatMessageTime(value: string): string {
  return isToday(new Date(value)) ? formatTime(value) : formatRecent(value);
}
