/** A space after a digit: before further digits, a sign, or a unit of one to three letters. */
const WITHIN_A_QUANTITY = /(?<=\d) (?=\d{3}(?!\d)|[^\p{L}\d\s—–-]|\p{L}{1,3}(?!\p{L}))/gu;

/** Keeps «68 800 ₽» and «250 г» in one line: a number, its groups and its unit are not parted. The text stays as long as it was. */
export const wholeNumbers = (text: string): string => text.replace(WITHIN_A_QUANTITY, "\u00a0");
