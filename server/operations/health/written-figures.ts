export const shareOf = (part: number, whole: number): string =>
  `${Math.round(whole === 0 ? 0 : (part / whole) * 100)} %`;

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** «3 мин», «2 ч 5 мин», «4 д 3 ч», with non-breaking spaces */
export function durationOf(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / 1000)}\u00a0с`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}\u00a0мин`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}\u00a0ч\u00a0${Math.floor((ms % HOUR) / MINUTE)}\u00a0мин`;
  return `${Math.floor(ms / DAY)}\u00a0д\u00a0${Math.floor((ms % DAY) / HOUR)}\u00a0ч`;
}
