/** Figures as whoever looks after the server reads them. */
const MB = 1024 ** 2;
const GB = 1024 ** 3;
const written = (value: number, digits: number) => value.toLocaleString("ru-RU", { maximumFractionDigits: digits });
export const sizeOf = (bytes: number): string =>
  bytes >= GB ? `${written(bytes / GB, 1)} ГБ` : `${written(bytes / MB, 0)} МБ`;
export const shareOf = (part: number, whole: number): string =>
  `${written(whole === 0 ? 0 : (part / whole) * 100, 0)} %`;

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** «3 мин», «2 ч 5 мин», «4 д 3 ч» */
export function durationOf(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} с`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} мин`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} ч ${Math.floor((ms % HOUR) / MINUTE)} мин`;
  return `${Math.floor(ms / DAY)} д ${Math.floor((ms % DAY) / HOUR)} ч`;
}
