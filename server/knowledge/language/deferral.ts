/**
 * Detects messages that only defer an answer: «уточню и напишу», «надо спросить». The closed word list contains no times, so repeating
 * such a message promises only to ask.
 */

const split = (text: string) => text.trim().split(/\s+/);
const ASKS = new Set(
  split(`уточню уточним уточнить узнаю узнаем узнать спрошу спросим спросить выясню выясним выяснить проверю проверим проверить посмотрю посмотрим посмотреть
  гляну глянем глянуть check ask`),
);
const BESIDE = new Set(
  split(`напишу напишем отпишусь отпишемся отпишу сообщу сообщим скажу скажем отвечу ответим вернусь вернемся с ответом вам тебе и потом надо нужно
  я мы ну хм так а это этот этого вопрос ок хорошо i i'll ill we'll will let me and get back to you know that`),
);
const MAX_WORDS = 7;

/** @param words as returned by `wordsOf` */
export const isDeferral = (words: readonly string[]): boolean =>
  words.length <= MAX_WORDS &&
  words.some((word) => ASKS.has(word)) &&
  words.every((word) => ASKS.has(word) || BESIDE.has(word));
