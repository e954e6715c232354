/** A size in words, the same in a message of the server and on a screen. */

// Whole sentences, so that another language may put the unit where it wants it.
const WRITTEN: readonly ((figure: string) => string)[] = [
  (figure) => `${figure}\u00a0байт`,
  (figure) => `${figure}\u00a0КБ`,
  (figure) => `${figure}\u00a0МБ`,
  (figure) => `${figure}\u00a0ГБ`,
];

const RUSSIAN = new Intl.NumberFormat("ru-RU");
const tenths = (value: number) => Math.round(value * 10) / 10;

/**
 * «1,4 МБ»: by 1024, in the unit that fits, at most one digit after the comma.
 * @param number of the reader's language
 */
export function writtenSize(bytes: number, number: Intl.NumberFormat = RUSSIAN): string {
  let value = bytes;
  let step = 0;
  // What rounds up to 1,024 belongs to the next unit already.
  while (tenths(value) >= 1024 && step < WRITTEN.length - 1) {
    value /= 1024;
    step += 1;
  }
  return WRITTEN[step]!(number.format(step === 0 ? value : tenths(value)));
}
