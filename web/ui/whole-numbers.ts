/** Matches a space after a digit: before further digits, a sign, or a unit of one to three letters. */
const WITHIN_A_QUANTITY = /(?<=\d) (?=\d{3}(?!\d)|[^\p{L}\d\s—–-]|\p{L}{1,3}(?!\p{L}))/gu;

/** Prevents line breaks inside «68 800 ₽» and «250 г»: between a number's groups and before its unit. The text keeps its length. */
export const wholeNumbers = (text: string): string => text.replace(WITHIN_A_QUANTITY, "\u00a0");
