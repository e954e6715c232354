/** Formats a file size, identically in messages of the server and on screens. */

// Whole templates, so that another language may place the unit elsewhere.
const WRITTEN = [
  (figure: string) => `${figure}\u00a0байт`,
  (figure: string) => `${figure}\u00a0КБ`,
  (figure: string) => `${figure}\u00a0МБ`,
  (figure: string) => `${figure}\u00a0ГБ`,
];

/** Values from here on would be rounded to 1,024, so they use the next unit. */
const NEXT_UNIT = 1023.95;

/** Returns a size such as «1,4 МБ»: by 1024, in the unit that fits, with at most one decimal. @param locale of the reader */
export function writtenSize(bytes: number, locale = "ru-RU"): string {
  let value = bytes;
  let step = 0;
  while (value >= NEXT_UNIT && step < 3) {
    value /= 1024;
    step += 1;
  }
  return WRITTEN[step]!(value.toLocaleString(locale, { maximumFractionDigits: 1 }));
}
