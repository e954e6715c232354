/** Keeps «68 800 ₽» in one line: a number's own groups and its sign are not parted. The text stays as long as it was. */
export const wholeNumbers = (text: string): string =>
  text.replace(/(?<=\d) (?=\d{3}(?!\d)|[^\p{L}\d\s—–-])/gu, "\u00a0");
