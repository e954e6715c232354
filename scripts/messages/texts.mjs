// What is a text to translate and what is data.

/** The locale of the sources. It is a message like others: a catalogue says which locale it writes numbers and dates in. */
export const LOCALE = "ru-RU";

/** Values that the server stores or reads, and names that are the same in every language. */
const DATA = new Set([
  "ты",
  "вы",
  "Русский",
  "{имя}",
  ...["[имя]", "[телефон]", "[почта]", "[адрес]", "[номер]"],
  // Of the search and of the keyboard.
  ...["е", "ё", "[её]", "йцукенгшщзхъфывапролджэячсмитьбюё"],
]);

/** @param {string} text with numbered places */
export const isMessage = (text) => /[а-яё«»]/i.test(text) || text === LOCALE;

/** A part of a regular expression that is put together of texts, and names of classes: their text is in the style sheet. */
const CODE = /\(\?[:<=!]|\\[dspb]|\[[^\]]*[а-яё]-[а-яё]|content-\[/i;

/** @param {string} text */
export const isData = (text) => DATA.has(text.trim()) || CODE.test(text);

/**
 * A text as the catalogue has it: without what only typesetting needs.
 * @param {string} text
 */
export const normalized = (text) =>
  text
    .replace(/[\u00a0\u202f\u2009]/g, " ")
    .replaceAll("\u00ad", "")
    .replace(/\u2060/g, "")
    .trim();

/** Files whose texts stay Russian in every language, and files that hold each language themselves. */
const LEFT = /^web\/legal\/texts\.ts$|^web\/i18n\/dictionary\.ts$|\.test\.tsx?$|\.d\.ts$|^web\/test\//;

/** @param {string} file from the project's folder, with «/» */
export const isTranslated = (file) => /^(web|contract)\/.*\.tsx?$/.test(file) && !LEFT.test(file);
