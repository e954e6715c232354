/**
 * Abbreviations of the trades that look like function words: «ТО» (maintenance) is written «то», which also is a pronoun. Others of two
 * letters, such as «КП» and «ИП», are not taken for function words, but for too short.
 */

import { stemOf } from "./analyze.ts";

const TO = "то";

/** Words after which «то» is a thing: «сколько стоит то», «записаться на то». */
const BEFORE =
  /(?<!\p{L})(?:стоит|стоить|стоимость|цен[аыу]|поч[её]м|на|для|после|до|без|перед|делаете|делать|сделать|делаем|пройти|проходить|проводите|длится|займ[её]т|занимает|входит\s{1,3}в|планово[ег]о?|полно[ег]о?|базово[ег]о?|сезонно[ег]о?|годово[ег]о?|перво[ег]о?|следующе[ег]о?)\s{1,3}$/iu;
/** Words before which it is a thing: «ТО полное». */
const AFTER = /^(?:-\d|\s{1,3}(?:базов|полн|планов|сезонн|годов|велосипед|машин|авто|\d))/iu;
/** Words before which it is a pronoun or a conjunction: «то, что», «то есть», «то же». */
const PRONOUN_BEFORE = /^\s{0,3},?\s{0,3}(?:что|чего|чем|чему|как|котор\p{L}{2,3}|есть|же|ли)(?!\p{L})/iu;

const WORD = /(?<![\p{L}-])то(?![\p{L}])/giu;
const CAPITALS = /(?<!\p{L})\p{Lu}{2,5}(?!\p{L})/gu;

/** Returns the abbreviations in a text, in lower case: words in capitals, and «то» where it is a thing. */
export function tradeWordsOf(text: string): string[] {
  const found = new Set<string>();
  if (/\p{Ll}/u.test(text)) {
    for (const [word] of text.matchAll(CAPITALS)) {
      const plain = word.toLowerCase().replaceAll("ё", "е");
      // Leaves out function words, because «НЕ» and «ГДЕ» are shouted, not abbreviated.
      if (stemOf(plain) !== "") found.add(plain);
    }
  }
  if (namesMaintenance(text)) found.add(TO);
  return [...found];
}

/** Whether «ТО» or «то» is a thing somewhere in the text. */
export function namesMaintenance(text: string): boolean {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const after = text.slice(index + word.length, index + word.length + 24);
    if (word === "ТО" && /\p{Ll}/u.test(text)) return true;
    if (PRONOUN_BEFORE.test(after)) continue;
    if (
      AFTER.test(after) ||
      (BEFORE.test(text.slice(Math.max(0, index - 24), index)) &&
        /^\s{0,3}(?:$|[?!.,)]|(?:на|для|и|у|по|в|можно|надо|нужно|когда|сколько)(?!\p{L}))/u.test(after))
    )
      return true;
  }
  return false;
}
