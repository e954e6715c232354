/** Locale of numbers and dates. The build for another language replaces it, like every Russian text. */
export const LOCALE = "ru-RU";
