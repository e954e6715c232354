import { LOCALE } from "./locale.ts";

const seconds = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const milliseconds = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });

/** Formats seconds as «2,3 с», below a tenth of a second as «12 мс». */
export function formatDuration(value: number): string {
  return value < 0.1 ? `${milliseconds.format(value * 1000)}\u00a0мс` : `${seconds.format(value)}\u00a0с`;
}
