/** A size in words, the same in a message of the server and on a screen. */

// Whole texts, so that another language may put the unit where it wants it.
const WRITTEN = [
  (figure: string) => `${figure}\u00a0байт`,
  (figure: string) => `${figure}\u00a0КБ`,
  (figure: string) => `${figure}\u00a0МБ`,
  (figure: string) => `${figure}\u00a0ГБ`,
];

/** From here on a figure would be rounded to 1,024, which is one of the next unit. */
const NEXT_UNIT = 1023.95;

/** «1,4 МБ»: by 1024, in the unit that fits, at most one digit after the comma. @param locale of the reader */
export function writtenSize(bytes: number, locale = "ru-RU"): string {
  let value = bytes;
  let step = 0;
  while (value >= NEXT_UNIT && step < 3) {
    value /= 1024;
    step += 1;
  }
  return WRITTEN[step]!(value.toLocaleString(locale, { maximumFractionDigits: 1 }));
}
